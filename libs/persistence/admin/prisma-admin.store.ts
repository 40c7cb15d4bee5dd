import { Injectable } from '@nestjs/common';
import { type AdminRows, AdminStore } from '#admin/stores/admin.store.js';
import type { Change } from '#events/change.js';
import type { TenantRevision } from '#tenancy/tenant.store.js';
import { appendToOutbox } from '../append-to-outbox.js';
import { Database } from '../database.js';
import { deleteBatch } from '../delete-batch.js';
import { Prisma } from '../generated/client.js';
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

  async sweepAnswers(before: Date): Promise<number> {
    const expired = Prisma.sql`expires_at < ${before} ORDER BY expires_at`;
    return deleteBatch(this.database.client, Prisma.sql`idempotency_records`, expired);
  }

  async sweepKeys(before: Date): Promise<number> {
    const expired = Prisma.sql`expires_at < ${before} ORDER BY expires_at`;
    return deleteBatch(this.database.client, Prisma.sql`admin_keys`, expired);
  }

  async sweepHistory(before: Date): Promise<number> {
    return deleteBatch(this.database.client, Prisma.sql`history`, Prisma.sql`at < ${before} ORDER BY at`);
  }

  /** One at a time, as all that is a tenant's goes with it; every node hears of it. */
  async sweepTenants(before: Date): Promise<number> {
    return this.database.client.$transaction(async (client) => {
      const gone = await client.$queryRaw<TenantRevision[]>`
        DELETE FROM tenants WHERE id = (
          SELECT id FROM tenants WHERE deletes_at < ${before} ORDER BY deletes_at LIMIT 1 FOR UPDATE SKIP LOCKED
        ) RETURNING id::text, slug, revision`;
      const changes = gone.map(({ id, slug, revision }): Change => {
        return { type: 'catalogue', tenantId: id, slug, revision: revision + 1 };
      });
      await appendToOutbox(client, changes);
      return gone.length;
    });
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
