import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AdminStore } from '#admin/stores/admin.store.js';
import { StaticTokenStore } from '#access/static-token.store.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import { SealedKeyError, SigningKeys } from '#authorization/keys/signing-keys.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { GrantStore } from '#authorization/stores/grant.store.js';
import { SigningKeyStore } from '#authorization/stores/signing-key.store.js';
import { PersistenceModule } from '#persistence/persistence.module.js';
import type { KeyRing } from '#protocol/key-ring.js';
import { mainAddress } from '#tenancy/tenant-address.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import type { Environment } from '../config/config.js';
import { databaseOf, keyRingOf } from '../config/settings.js';
import { type ManageContext, ManageError } from './context.js';
import { ReadOnlyKeys } from './read-only-keys.js';

/** Runs work on the server's own database, with the stores and keys that the server has. @throws ManageError */
export async function withContext<T>(
  environment: Environment,
  work: (context: ManageContext) => Promise<T>,
): Promise<T> {
  requireFiles(environment);
  const keys = await keyRingOf(environment);
  const root = PersistenceModule.register(databaseOf(environment));
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  try {
    const context = contextOf(app, environment, keys);
    await requireFirstStart(context.tenants, environment);
    await requireSameKeys(app.get(SigningKeyStore), keys);
    return await work(context);
  } finally {
    await app.close();
  }
}

function contextOf(app: INestApplicationContext, environment: Environment, keys: KeyRing): ManageContext {
  const { TENANT_ROUTING: routing, PUBLIC_URL, HOST, PORT } = environment;
  const publicOrigin = (): string => PUBLIC_URL?.origin ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
  return {
    tenants: app.get(TenantStore),
    accounts: app.get(AccountStore),
    clients: app.get(ClientStore),
    grants: app.get(GrantStore),
    tokens: app.get(StaticTokenStore),
    admin: app.get(AdminStore),
    passwords: new Passwords(),
    keys,
    urlOf: (slug) => mainAddress(slug, { routing, publicOrigin }).resource,
    readFile: (path) => readFile(path, 'utf8'),
  };
}

/** What the server would make is not made here: it would be another database, or another key, than the server's. */
function requireFiles({ DATABASE_URL, SECRET_KEY, DATA_DIR }: Environment): void {
  const directory = resolve(DATA_DIR);
  if (!DATABASE_URL && !existsSync(join(directory, 'pglite'))) {
    throw new ManageError(
      `There is no database in ${directory} yet: start the server once. Is it elsewhere? Say so with DATA_DIR or DATABASE_URL.`,
    );
  }
  if (!SECRET_KEY && !existsSync(join(directory, 'secret.key'))) {
    throw new ManageError(
      `SECRET_KEY is not set, and there is no secret.key in ${directory}. Run manage with the server's environment.`,
    );
  }
}

/** A tenant that is there before the server's first start would keep it from making the first ones and their owner. */
async function requireFirstStart(tenants: TenantStore, { DATABASE_URL, DATA_DIR }: Environment): Promise<void> {
  if (!(await tenants.isEmpty())) return;
  throw new ManageError(
    DATABASE_URL
      ? 'The database of DATABASE_URL is empty: start the server once.'
      : `There is nothing in the database in ${resolve(DATA_DIR)} yet: start the server once.`,
  );
}

async function requireSameKeys(store: SigningKeyStore, keys: KeyRing): Promise<void> {
  try {
    if ((await store.all()).length === 0) return;
    await new SigningKeys(new ReadOnlyKeys(store), keys.derive('signing keys')).set();
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    throw new ManageError(
      "SECRET_KEY is not the one that this database was sealed with. Run manage with the server's environment.",
    );
  }
}
