import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Passwords } from '#authorization/accounts/passwords.js';
import { SigningKeys } from '#authorization/keys/signing-keys.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ModuleRegistry } from '#catalogue/modules/module-registry.js';
import { type NewTenant, TenantStore } from '#tenancy/tenant.store.js';
import { type DatabaseOptions } from '#persistence/database.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { AppModule } from './app.module.js';
import { createBus } from './change-bus.js';
import { collectYoung } from './collect-young.js';
import { type Environment, readEnvironment } from './config/config.js';
import { databaseOf, isLocal, keyRingOf, schemaLimitsOf, warningsOf } from './config/settings.js';
import { createHttpServer } from './http-server.js';
import { ensureOwner } from './owner.js';
import { firstTenants, seed } from './seed.js';
import { serve, type Serving } from './serve.js';

export interface ServerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Classes with `@McpModule`, or Nest modules that provide some. */
  readonly modules: readonly Type[];
  /** The tenants of an empty database; the demo's otherwise. */
  readonly seed?: readonly NewTenant[];
  /** The database, when it is not the environment's. */
  readonly database?: DatabaseOptions;
  /**
   * Told the owner's e-mail address and password when one was made up just now, whatever becomes of the start. Show it:
   * it is not to be had again.
   */
  onFirstPassword?(email: string, password: string): void;
}

/** A running platform. */
export interface CausewayServer extends Serving {
  readonly app: NestFastifyApplication;
  readonly environment: Environment;
  readonly logger: Logger;
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
    if (firstPassword !== undefined) options.onFirstPassword?.(environment.OWNER_EMAIL, firstPassword);
    const serving = await serve({ app, environment, keys, logger }, http);
    return { ...serving, app, environment, logger };
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
