import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { OpenStreams } from '#bindings/http/open-streams.js';
import { originPolicy } from '#bindings/http/origin-policy.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { type NewTenant, TenantStore } from '#tenancy/tenant.store.js';
import { ChangeBus } from '#events/change.bus.js';
import { RoundStore } from '#invocation/round.store.js';
import { Database, type DatabaseOptions } from '#persistence/database.js';
import type { Stages } from '#serving/stages.js';
import { TenantWatch } from '#serving/tenant-watch.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { AppModule } from './app.module.js';
import { type Environment, readEnvironment } from './config/config.js';
import { isLocal, isLoopback, keyRingOf, schemaLimitsOf } from './config/settings.js';
import { createHttpServer, type HttpServer } from './http-server.js';
import { healthRoutes } from './health.js';
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
  /** Tells listeners, lets requests in flight finish within the limit, and closes everything. */
  close(): Promise<void>;
}

/**
 * Boots the platform: configuration, database, modules, tenants, endpoints.
 * @throws ConfigurationError, DeclarationError, or an error of the database that says what to do
 */
export async function createServer(options: ServerOptions): Promise<CausewayServer> {
  const environment = readEnvironment(options.environment);
  const logger = createLogger(environment.LOG_LEVEL);
  if (environment.REDIS_URL) logger.warn('REDIS_URL is set, but this version carries changes within one process only');
  const http = createHttpServer();
  const root = AppModule.register({
    database: options.database ?? databaseOf(environment),
    modules: options.modules,
    logger,
  });
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(http.fastify), {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  try {
    app.get(ModuleRegistry).discover(schemaLimitsOf(environment));
    await seed(app.get(TenantStore), options.seed ?? firstTenants(isLocal(environment)));
    return await start({ app, http, environment, logger });
  } catch (error) {
    await app.close();
    throw error;
  }
}

interface Parts {
  readonly app: NestFastifyApplication;
  readonly http: HttpServer;
  readonly environment: Environment;
  readonly logger: Logger;
}

async function start({ app, http, environment, logger }: Parts): Promise<CausewayServer> {
  const stages = await stagesOf(app, environment, logger);
  const streams = new OpenStreams(environment.KEEP_ALIVE_MS);
  const watch = new TenantWatch(app.get(TenantStore), stages.tenants, stages.listeners, {
    intervalMs: WATCH_MS,
    onFailure: (error) => logger.error({ err: error }, 'Changes of tenants could not be looked for'),
  });
  const state = { origin: environment.PUBLIC_URL?.origin ?? '', stopping: false };
  const publicOrigin = (): string => state.origin;
  const isStopping = (): boolean => state.stopping;
  const { ALLOWED_ORIGINS: allowedOrigins, BODY_LIMIT: bodyLimit, TENANT_ROUTING: routing, HOST, PORT } = environment;
  const origins = originPolicy({ publicOrigin, allowedOrigins, loopback: isLoopback(HOST) });
  const database = app.get(Database);
  healthRoutes(http.fastify, { ping: () => database.ping(), isStopping });
  http.serve({ stages, streams, routing, bodyLimit, publicOrigin, isStopping, origins });

  await app.listen(PORT, HOST);
  watch.start();
  const { port } = app.getHttpServer().address() as AddressInfo;
  if (state.origin === '') state.origin = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;

  const stop = async (): Promise<void> => {
    state.stopping = true;
    stages.listeners.stop();
    await watch.stop();
    await closeWithin(app, environment.SHUTDOWN_TIMEOUT_MS);
    streams.stop();
  };
  let stopping: Promise<void> | undefined;
  return { url: state.origin, port, app, environment, logger, close: () => (stopping ??= stop()) };
}

async function stagesOf(app: NestFastifyApplication, environment: Environment, logger: Logger): Promise<Stages> {
  return createStages({
    environment,
    keys: await keyRingOf(environment),
    modules: app.get(ModuleRegistry),
    tenants: app.get(TenantStore),
    rounds: app.get(RoundStore),
    bus: app.get(ChangeBus),
    logger,
  });
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

function databaseOf({ DATABASE_URL, DATABASE_CONNECTIONS, DATA_DIR }: Environment): DatabaseOptions {
  return DATABASE_URL ? { url: DATABASE_URL.href, maxConnections: DATABASE_CONNECTIONS } : { directory: DATA_DIR };
}
