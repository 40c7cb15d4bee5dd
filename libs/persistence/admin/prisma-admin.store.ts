import { Injectable } from '@nestjs/common';
import { type AdminRows, AdminStore } from '#admin/stores/admin.store.js';
import { appendToOutbox } from '../append-to-outbox.js';
import { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';
import { PrismaAdminKeyRows } from './prisma-admin-key.rows.js';
import { PrismaAdminTenantRows } from './prisma-admin-tenant.rows.js';
import { PrismaAnswerRows } from './prisma-answer.rows.js';
import { PrismaHistoryRows } from './prisma-history.rows.js';
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
  return {
    tenants: new PrismaAdminTenantRows(client),
    sources: new PrismaSourceRows(client),
    secrets: new PrismaSecretRows(client),
    keys: new PrismaAdminKeyRows(client),
    history: new PrismaHistoryRows(client),
    answers: new PrismaAnswerRows(client),
    announce: (changes) => appendToOutbox(client, changes),
  };
}
