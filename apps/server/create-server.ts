import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ADMIN_RESOURCE } from '#admin/access/admin-resource.js';
import { type AdminServing, serveAdmin } from '#admin/http/serve-admin.js';
import { AdminStore } from '#admin/stores/admin.store.js';
import { AccessTokenStrategy } from '#access/access-token.strategy.js';
import { EmbeddedKeys } from '#access/key-source.js';
import { RevocationStore } from '#access/revocation.store.js';
import { StaticTokens } from '#access/static-tokens.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import type { AuthorizationOptions } from '#authorization/http/serve-authorization.js';
import { SigningKeys } from '#authorization/keys/signing-keys.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { RecordStore } from '#authorization/stores/record.store.js';
import { SignInFailureStore } from '#authorization/stores/sign-in-failure.store.js';
import { OpenStreams } from '#bindings/http/open-streams.js';
import { originPolicy } from '#bindings/http/origin-policy.js';
import type { CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import { HandlerClosures } from '#catalogue/modules/handler-closure.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { type NewTenant, type SourceRecord, TenantStore } from '#tenancy/tenant.store.js';
import { ChangeAnnouncer } from '#events/change-announcer.js';
import { ChangeBus } from '#events/change.bus.js';
import { ChangeFeed } from '#events/change-feed.js';
import { ChangeRelay } from '#events/change-relay.js';
import { Outbox } from '#events/outbox.js';
import { RoundStore } from '#invocation/round.store.js';
import { createGuardedFetch, type GuardedFetch } from '#outbound/guarded-fetch.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import type { KeyRing } from '#protocol/key-ring.js';
import { Database, type DatabaseOptions } from '#persistence/database.js';
import { ListenerRows } from '#serving/listener-rows.js';
import { ListenerStore } from '#serving/listener.store.js';
import { OutboxWatch } from '#serving/outbox-watch.js';
import type { Stages } from '#serving/stages.js';
import { RevocationWatch } from '#serving/revocation-watch.js';
import type { StoreWatch, WatchOptions } from '#serving/store-watch.js';
import { TenantWatch } from '#serving/tenant-watch.js';
import type { ResourceNotifications } from '#sources/notifications/resource-notifications.js';
import { secretsNamedBy } from '#sources/named-secrets.js';
import { RegisteredSources } from '#sources/registered-sources.js';
import { checkSource } from '#sources/source-checks.js';
import { SecretStore } from '#sources/secrets/secret.store.js';
import { SecretVault } from '#sources/secrets/secret-vault.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { createGate } from './access.js';
import { type AdminInputs, createAdmin } from './admin.js';
import { adminOAuth } from './admin-oauth.js';
import { type AuthorizationInputs, createAuthorization } from './authorization.js';
import { AppModule } from './app.module.js';
import { createBus } from './change-bus.js';
import { collectYoung } from './collect-young.js';
import { type Environment, readEnvironment } from './config/config.js';
import { createCompiler } from './compiler.js';
import { databaseOf, isForThisMachine, isLocal, keyRingOf, schemaLimitsOf, warningsOf } from './config/settings.js';
import { createHttpServer, type HttpServer } from './http-server.js';
import { healthRoutes } from './health.js';
import { ensureOwner } from './owner.js';
import { createResourceUpdates } from './resource-updates.js';
import { firstTenants, seed } from './seed.js';
import { createStages } from './stages.js';

/** How often changes are looked for that no bus brought. */
const WATCH_MS = 10_000;

/** How often a server that stops looks for connections that have become idle. */
const IDLE_CHECK_MS = 50;

export interface ServerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Classes with `@McpModule`, or Nest modules that provide some. */
  readonly modules: readonly Type[];
  /** The tenants of an empty database; the demo's otherwise. */
  readonly seed?: readonly NewTenant[];
  /** The database, when it is not the environment's. */
  readonly database?: DatabaseOptions;
}

/** A running platform. */
export interface CausewayServer {
  /** The public origin. */
  readonly url: string;
  readonly port: number;
  readonly app: NestFastifyApplication;
  readonly environment: Environment;
  readonly logger: Logger;
  /** Takes in that contents of registered resources have changed. */
  readonly notifications: ResourceNotifications;
  /** The owner's password, when one was made up just now. Show it: it is not to be had again. */
  readonly firstPassword?: string | undefined;
  /** Tells listeners, lets requests in flight finish within the limit, and closes everything. */
  close(): Promise<void>;
}

/**
 * Boots the platform: configuration, database, modules, tenants, endpoints.
 * @throws ConfigurationError, DeclarationError, or an error of the database that says what to do
 */
export async function createServer(options: ServerOptions): Promise<CausewayServer> {
  collectYoung();
  const environment = readEnvironment(options.environment);
  const logger = createLogger(environment.LOG_LEVEL);
  for (const warning of warningsOf(environment)) logger.warn(warning);
  const http = createHttpServer();
  const keys = await keyRingOf(environment);
  const database = options.database ?? databaseOf(environment);
  const bus = createBus(environment, database, logger);
  const root = AppModule.register({ database, modules: options.modules, keys, bus, logger });
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(http.fastify), {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  try {
    app.get(ModuleRegistry).discover(schemaLimitsOf(environment));
    await app.get(SigningKeys).set(); // a key that does not open is told now, not to the first caller
    const firstPassword = await firstRun(app, environment, options.seed, logger);
    return { ...(await start({ app, http, environment, keys, logger })), firstPassword };
  } catch (error) {
    await app.close();
    await bus.close();
    throw error;
  }
}

/** The first tenants and their owner, where there are none; returns the owner's password when one was made up. */
async function firstRun(
  app: NestFastifyApplication,
  environment: Environment,
  given: readonly NewTenant[] | undefined,
  logger: Logger,
): Promise<string | undefined> {
  const tenants = app.get(TenantStore);
  const first = given ?? firstTenants(isLocal(environment));
  await seed(tenants, first);
  if (given) return undefined;
  const { OWNER_EMAIL: email, OWNER_PASSWORD: password } = environment;
  const onUnknown = (): void =>
    logger.warn(
      'OWNER_EMAIL is no account: it counts at the first start only. Add one with `npm run -s manage -- account add`',
    );
  const parts = { accounts: app.get(AccountStore), passwords: app.get(Passwords), tenants, onUnknown };
  return ensureOwner(parts, { email, password, slugs: first.map(({ slug }) => slug) });
}

interface Parts {
  readonly app: NestFastifyApplication;
  readonly http: HttpServer;
  readonly environment: Environment;
  readonly keys: KeyRing;
  readonly logger: Logger;
}

async function start(parts: Parts): Promise<CausewayServer> {
  const { app, http, environment, logger } = parts;
  const outbound = createGuardedFetch({ allowedNetworks: environment.OUTBOUND_ALLOW });
  const services = new OutboundClient({ allowedNetworks: environment.OUTBOUND_ALLOW });
  const listenerRows = listenerRowsOf(parts);
  const registered = registeredOf(parts, services);
  const { compiler, secrets } = registered;
  const stages = stagesOf(parts, { outbound, registered, listenerRows });
  const updates = createResourceUpdates({ app, tenants: stages.tenants, ...registered, logger });
  const streams = new OpenStreams(environment.KEEP_ALIVE_MS);
  const watches = [...(await watchesOf(app, stages, logger)), updates.poller];
  const bus = app.get(ChangeBus);
  const relay = app.get(ChangeRelay);
  const state = { origin: environment.PUBLIC_URL?.origin ?? '', stopping: false };
  const publicOrigin = (): string => state.origin;
  const isStopping = (): boolean => state.stopping;
  const { ALLOWED_ORIGINS: allowedOrigins, BODY_LIMIT: bodyLimit, TENANT_ROUTING: routing, HOST, PORT } = environment;
  const origins = originPolicy({ publicOrigin, allowedOrigins, loopback: isForThisMachine(environment) });
  const database = app.get(Database);
  healthRoutes(http.fastify, { ping: () => database.ping(), isStopping });
  const places = { routing, publicOrigin };
  const authorization = authorizationOf(parts, { directory: stages.tenants, places, fetch: outbound, isStopping });
  const platformResources = [ADMIN_RESOURCE];
  http.serve(
    { stages, streams, routing, bodyLimit, publicOrigin, isStopping, origins, platformResources },
    authorization,
  );
  const inspector = {
    secretsOf: secretsNamedBy,
    check: (source: Pick<SourceRecord, 'kind' | 'definition'>) => checkSource(source, services),
  };
  serveAdmin(
    http.fastify,
    adminOf(parts, {
      inspector,
      compiler,
      notifications: updates.notifications,
      vault: secrets,
      directory: stages.tenants,
      places,
      signIn: authorization.signIn,
    }),
  );

  bus.onGap(() => watches.forEach((watch) => watch.lookSoon()));
  bus.start();
  await app.listen(PORT, HOST);
  const running = [...watches, relay, listenerRows];
  for (const part of running) part.start();
  const { port } = app.getHttpServer().address() as AddressInfo;
  if (state.origin === '') state.origin = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;

  const stop = async (): Promise<void> => {
    state.stopping = true;
    stages.listeners.stop();
    await Promise.all(running.map((part) => part.stop()));
    await closeWithin(app, environment.SHUTDOWN_TIMEOUT_MS);
    await Promise.all([bus.close(), outbound.close(), services.close()]);
    streams.stop();
  };
  let stopping: Promise<void> | undefined;
  const { notifications } = updates;
  return { url: state.origin, port, app, environment, logger, notifications, close: () => (stopping ??= stop()) };
}

type AuthorizationRest = Pick<AuthorizationInputs, 'directory' | 'places' | 'fetch' | 'isStopping'>;

function authorizationOf({ app, environment, keys, logger }: Parts, rest: AuthorizationRest): AuthorizationOptions {
  const modules = app.get(ModuleRegistry);
  return createAuthorization({
    ...rest,
    environment,
    keys,
    logger,
    signingKeys: app.get(SigningKeys),
    tenants: app.get(TenantStore),
    stores: {
      accounts: app.get(AccountStore),
      clients: app.get(ClientStore),
      grants: app.get(GrantStore),
      records: app.get(RecordStore),
    },
    failures: app.get(SignInFailureStore),
    passwords: app.get(Passwords),
    announcer: app.get(ChangeAnnouncer),
    platformScopes: () => modules.scopes,
  });
}

/** What was registered at run time, and the secrets that it names. */
interface Registered {
  readonly secrets: SecretVault;
  readonly sources: RegisteredSources;
  readonly compiler: CatalogueCompiler;
}

function registeredOf({ app, environment, keys, logger }: Parts, outbound: OutboundClient): Registered {
  const closures = app.get(HandlerClosures);
  const secrets = new SecretVault(app.get(SecretStore), keys);
  const limits = schemaLimitsOf(environment);
  const sources = new RegisteredSources({ limits, secrets, outbound, wrap: (handler) => closures.wrap(handler) });
  return {
    secrets,
    sources,
    compiler: createCompiler({ environment, modules: app.get(ModuleRegistry), sources, logger }),
  };
}

type AdminRest = Pick<
  AdminInputs,
  'notifications' | 'inspector' | 'compiler' | 'vault' | 'directory' | 'places' | 'signIn'
>;

function adminOf({ app, environment, keys, logger }: Parts, rest: AdminRest): AdminServing {
  return createAdmin({
    ...rest,
    environment,
    keys,
    logger,
    store: app.get(AdminStore),
    modules: app.get(ModuleRegistry),
    relay: app.get(ChangeRelay),
    passwords: app.get(Passwords),
    ...adminOAuth(app, rest.places),
  });
}

/** What the stages work with besides what Nest holds. */
interface Connected {
  readonly outbound: GuardedFetch;
  readonly registered: Registered;
  readonly listenerRows: ListenerRows;
}

function stagesOf(
  { app, environment, keys, logger }: Parts,
  { outbound, registered, listenerRows }: Connected,
): Stages {
  const gate = createGate({
    strategy: app.get(AccessTokenStrategy),
    embeddedKeys: app.get(EmbeddedKeys),
    revocations: app.get(RevocationStore),
    staticTokens: app.get(StaticTokens),
    fetch: outbound,
    tokensInMemory: environment.TOKENS_IN_MEMORY,
    logger,
  });
  return createStages({
    environment,
    keys,
    gate,
    ...registered,
    tenants: app.get(TenantStore),
    rounds: app.get(RoundStore),
    feed: app.get(ChangeFeed),
    announcer: app.get(ChangeAnnouncer),
    listenerRows,
    logger,
  });
}

function listenerRowsOf({ app, environment, logger }: Parts): ListenerRows {
  return new ListenerRows(app.get(ListenerStore), {
    nodeId: randomUUID(),
    maxPerPrincipal: environment.LISTEN_STREAMS_PER_PRINCIPAL,
    onFailure: (error) => logger.error({ err: error }, 'Who listens could not be written down just now'),
  });
}

/** What looks for changes that no bus brought. */
async function watchesOf(app: NestFastifyApplication, stages: Stages, logger: Logger): Promise<readonly StoreWatch[]> {
  const { tenants, gate, listeners } = stages;
  const options = (what: string): WatchOptions => ({
    intervalMs: WATCH_MS,
    onFailure: (error) => logger.error({ err: error }, `${what} could not be looked for`),
  });
  const changes = new OutboxWatch(
    { outbox: app.get(Outbox), feed: app.get(ChangeFeed), bus: app.get(ChangeBus) },
    options('Changes in the outbox'),
  );
  await changes.prime();
  return [
    changes,
    new TenantWatch(app.get(TenantStore), tenants, listeners, options('Changes of tenants')),
    new RevocationWatch(app.get(RevocationStore), gate, listeners, options('Revocations')),
  ];
}

/** Requests in flight may finish within the limit; a connection is closed as soon as nothing is on its way on it. */
async function closeWithin(app: NestFastifyApplication, limitMs: number): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), limitMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(deadline);
  }
}
