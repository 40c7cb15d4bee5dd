import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { ADMIN_RESOURCE } from '#admin/access/admin-resource.js';
import { serveAdmin } from '#admin/http/serve-admin.js';
import { OpenStreams } from '#bindings/http/open-streams.js';
import { originPolicy } from '#bindings/http/origin-policy.js';
import { ChangeBus } from '#events/change.bus.js';
import { ChangeRelay } from '#events/change-relay.js';
import { createGuardedFetch } from '#outbound/guarded-fetch.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { Database } from '#persistence/database.js';
import { ListenerRows } from '#serving/listener-rows.js';
import { ListenerStore } from '#serving/listener.store.js';
import { createGate } from './access.js';
import { createAdmin } from './admin.js';
import { createAuthorization } from './authorization.js';
import type { Booted } from './booted.js';
import { closeWithin } from './close-within.js';
import { isForThisMachine } from './config/settings.js';
import { healthRoutes } from './health.js';
import type { HttpServer } from './http-server.js';
import { createRegistered } from './registered.js';
import { createResourceUpdates } from './resource-updates.js';
import { createStages } from './stages.js';
import { createWatches } from './watches.js';

/** What listens and runs. */
export interface Serving {
  /** The public origin. */
  readonly url: string;
  readonly port: number;
  /** Tells listeners, lets requests in flight finish within the limit, and closes everything. */
  close(): Promise<void>;
}

/** Puts the platform together, listens, and keeps an eye on what changes. */
export async function serve(booted: Booted, http: HttpServer): Promise<Serving> {
  const { app, environment } = booted;
  const { ALLOWED_ORIGINS: allowedOrigins, BODY_LIMIT: bodyLimit, TENANT_ROUTING: routing, HOST, PORT } = environment;
  const state = { origin: environment.PUBLIC_URL?.origin ?? '', stopping: false };
  const publicOrigin = (): string => state.origin;
  const isStopping = (): boolean => state.stopping;
  const places = { routing, publicOrigin };

  const outbound = createGuardedFetch({ allowedNetworks: environment.OUTBOUND_ALLOW });
  const services = new OutboundClient({ allowedNetworks: environment.OUTBOUND_ALLOW });
  const listenerRows = listenerRowsOf(booted);
  const registered = createRegistered(booted, services);
  const stages = createStages(booted, { gate: createGate(booted, outbound), registered, listenerRows });
  const { tenants: directory } = stages;
  const { notifications, poller } = createResourceUpdates(booted, directory, registered);
  const watches = [...(await createWatches(booted, stages)), poller];
  const streams = new OpenStreams(environment.KEEP_ALIVE_MS);
  const database = app.get(Database);
  healthRoutes(http.fastify, { ping: () => database.ping(), isStopping });
  const origins = originPolicy({ publicOrigin, allowedOrigins, loopback: isForThisMachine(environment) });
  const authorization = createAuthorization(booted, { directory, places, fetch: outbound, isStopping });
  const platformResources = [ADMIN_RESOURCE];
  http.serve(
    { stages, streams, routing, bodyLimit, publicOrigin, isStopping, origins, platformResources },
    authorization,
  );
  const { signIn } = authorization;
  serveAdmin(http.fastify, createAdmin(booted, { registered, directory, notifications, signIn, places }));

  const bus = app.get(ChangeBus);
  bus.onGap(() => watches.forEach((watch) => watch.lookSoon()));
  bus.start();
  await app.listen(PORT, HOST);
  const running = [...watches, app.get(ChangeRelay), listenerRows];
  for (const part of running) part.start();
  const { port } = app.getHttpServer().address() as AddressInfo;
  if (state.origin === '') state.origin = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;

  const stop = async (): Promise<void> => {
    state.stopping = true;
    stages.listeners.stop();
    await Promise.all(running.map((part) => part.stop()));
    await closeWithin(app, http, environment.SHUTDOWN_TIMEOUT_MS);
    await Promise.all([bus.close(), outbound.close(), services.close()]);
    streams.stop();
  };
  let stopping: Promise<void> | undefined;
  return { url: state.origin, port, close: () => (stopping ??= stop()) };
}

function listenerRowsOf({ app, environment, logger }: Booted): ListenerRows {
  return new ListenerRows(app.get(ListenerStore), {
    nodeId: randomUUID(),
    maxPerPrincipal: environment.LISTEN_STREAMS_PER_PRINCIPAL,
    onFailure: (error) => logger.error({ err: error }, 'Who listens could not be written down just now'),
  });
}
