import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { StaticTokenStore } from '#access/static-token.store.js';
import { Passwords } from '#authorization/accounts/passwords.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { ClientStore } from '#authorization/stores/client.store.js';
import { PersistenceModule } from '#persistence/persistence.module.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { explainBootError } from '../boot-error.js';
import { readEnvironment } from '../config/config.js';
import { databaseOf, keyRingOf } from '../config/settings.js';
import { ManageError } from './context.js';
import { readCommand, usage } from './manage.js';

const args = process.argv.slice(2);

try {
  process.stdout.write(`${args.some((arg) => arg === '--help' || arg === '-h') ? usage() : await manage()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof ManageError ? error.message : explainBootError(error, process.env)}\n`);
  process.exitCode = 1;
}

/** Works on the database itself, with the stores that the server has. */
async function manage(): Promise<string> {
  const run = readCommand(args);
  const environment = readEnvironment(process.env);
  const root = PersistenceModule.register(databaseOf(environment));
  const app = await NestFactory.createApplicationContext(root, { logger: ['warn', 'error'], abortOnError: false });
  try {
    return await run({
      tenants: app.get(TenantStore),
      accounts: app.get(AccountStore),
      clients: app.get(ClientStore),
      tokens: app.get(StaticTokenStore),
      passwords: new Passwords(),
      keys: await keyRingOf(environment),
      readFile: (path) => readFile(path, 'utf8'),
    });
  } finally {
    await app.close();
  }
}
