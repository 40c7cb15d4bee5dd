import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { mcpEndpoint } from '#bindings/http/mcp-endpoint.js';
import { OpenStreams } from '#bindings/http/open-streams.js';
import { originPolicy } from '#bindings/http/origin-policy.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { type NewTenant, TenantStore } from '#catalogue/tenant.store.js';
import { ChangeBus } from '#events/change.bus.js';
import { RoundStore } from '#invocation/round.store.js';
import { Database, type DatabaseOptions } from '#persistence/database.js';
import { TenantWatch } from '#serving/tenant-watch.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { AppModule } from './app.module.js';
import { type Environment, readEnvironment } from './config/config.js';
import { isLoopback, keyRingOf, schemaLimitsOf } from './config/settings.js';
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
  const adapter = new FastifyAdapter({ forceCloseConnections: 'idle', routerOptions: { maxParamLength: 100 } });
  const root = AppModule.register({
    database: options.database ?? databaseOf(environment),
    modules: options.modules,
    logger,
  });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  try {
    return await start(app, environment, logger, options.seed);
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function start(
  app: NestFastifyApplication,
  environment: Environment,
  logger: Logger,
  tenants: readonly NewTenant[] = firstTenants(isLoopback(environment.HOST)),
): Promise<CausewayServer> {
  app.get(ModuleRegistry).discover(schemaLimitsOf(environment));
  await seed(app.get(TenantStore), tenants);
  const stages = createStages({
    environment,
    keys: await keyRingOf(environment),
    modules: app.get(ModuleRegistry),
    tenants: app.get(TenantStore),
    rounds: app.get(RoundStore),
    bus: app.get(ChangeBus),
    logger,
  });
  const state = { origin: environment.PUBLIC_URL?.origin ?? '', stopping: false };
  const streams = new OpenStreams(environment.KEEP_ALIVE_MS);
  const watch = new TenantWatch(app.get(TenantStore), stages.tenants, stages.listeners, {
    intervalMs: WATCH_MS,
    onFailure: (error) => logger.error({ err: error }, 'Changes of tenants could not be looked for'),
  });
  const fastify = app.getHttpAdapter().getInstance();
  const database = app.get(Database);
  healthRoutes(fastify, { ping: () => database.ping(), isStopping: () => state.stopping });
  await mcpEndpoint(fastify, {
    stages,
    streams,
    routing: environment.TENANT_ROUTING,
    bodyLimit: environment.BODY_LIMIT,
    publicOrigin: () => state.origin,
    origins: originPolicy({
      publicOrigin: () => state.origin,
      allowedOrigins: environment.ALLOWED_ORIGINS,
      loopback: isLoopback(environment.HOST),
    }),
  });
  watch.start();
  await app.listen(environment.PORT, environment.HOST);
  const { port } = app.getHttpServer().address() as AddressInfo;
  if (state.origin === '')
    state.origin = `http://${environment.HOST.includes(':') ? `[${environment.HOST}]` : environment.HOST}:${port}`;
  const close = async (): Promise<void> => {
    state.stopping = true;
    stages.listeners.stop();
    streams.stop();
    await watch.stop();
    await closeWithin(app, environment.SHUTDOWN_TIMEOUT_MS);
  };
  let closing: Promise<void> | undefined;
  return { url: state.origin, port, app, environment, logger, close: () => (closing ??= close()) };
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
