import { Injectable } from '@nestjs/common';
import { type AdminRows, AdminStore } from '#admin/stores/admin.store.js';
import { appendToOutbox } from '../append-to-outbox.js';
import { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';
import { joinedDatabase } from '../joined-database.js';
import { PrismaAccountStore } from '../prisma-account.store.js';
import { PrismaClientStore } from '../prisma-client.store.js';
import { PrismaStaticTokenStore } from '../prisma-static-token.store.js';
import { PrismaAdminKeyRows } from './prisma-admin-key.rows.js';
import { PrismaAdminTenantRows } from './prisma-admin-tenant.rows.js';
import { PrismaAnswerRows } from './prisma-answer.rows.js';
import { PrismaCredentialRows } from './prisma-credential.rows.js';
import { PrismaHistoryRows } from './prisma-history.rows.js';
import { PrismaListenerRows } from './prisma-listener.rows.js';
import { PrismaMemberRows } from './prisma-member.rows.js';
import { PrismaSecretRows } from './prisma-secret.rows.js';
import { PrismaSourceRows } from './prisma-source.rows.js';

/** What the admin API keeps, in Postgres. */
@Injectable()
export class PrismaAdminStore extends AdminStore {
  readonly rows: AdminRows;

  constructor(private readonly database: Database) {
    super();
    this.rows = rowsOf(database.client);
  }

  transaction<T>(work: (rows: AdminRows) => Promise<T>): Promise<T> {
    return this.database.client.$transaction((client) => work(rowsOf(client)));
  }
}

function rowsOf(client: Prisma.TransactionClient): AdminRows {
  const joined = joinedDatabase(client);
  return {
    tenants: new PrismaAdminTenantRows(client),
    sources: new PrismaSourceRows(client),
    secrets: new PrismaSecretRows(client),
    keys: new PrismaAdminKeyRows(client),
    history: new PrismaHistoryRows(client),
    answers: new PrismaAnswerRows(client),
    members: new PrismaMemberRows(client),
    credentials: new PrismaCredentialRows(client),
    listeners: new PrismaListenerRows(client),
    accounts: new PrismaAccountStore(joined),
    clients: new PrismaClientStore(joined),
    tokens: new PrismaStaticTokenStore(joined),
    announce: (changes) => appendToOutbox(client, changes),
  };
}
