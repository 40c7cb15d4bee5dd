import { Injectable } from '@nestjs/common';
import type { Revocation } from '#access/revocation.store.js';
import { GrantEndedError, GrantExistsError, GrantStore } from '#authorization/stores/grant.store.js';
import type { GrantKey, GrantRecord } from '#authorization/stores/grant.store.js';
import { Database } from './database.js';
import { IdTakenError, isUniqueViolation } from './database-errors.js';
import { deleteBatch } from './delete-batch.js';
import { Prisma } from './generated/client.js';
import { isStorable } from './identifiers.js';
import { revokeGrants } from './revoke-grants.js';

/** Grants in Postgres. Whether one has expired is told by the database's clock. */
@Injectable()
export class PrismaGrantStore extends GrantStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** @throws IdTakenError when the id belongs to a grant for another key */
  async save(grant: GrantRecord): Promise<void> {
    try {
      const statements = [this.makeRoom(grant), this.upsert(grant), this.dropEnded(grant)];
      const [, saved, ended = 0] = await this.database.client.$transaction(statements);
      if (saved === 0) throw grant.tenantId === null ? new GrantEndedError() : new IdTakenError('grant');
      if (ended > 0) throw new GrantEndedError();
    } catch (error) {
      throw isUniqueViolation(error) ? new GrantExistsError() : error;
    }
  }

  async find(issuer: string, id: string): Promise<GrantRecord | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.select(Prisma.sql`issuer = ${issuer} AND id = ${id}`);
    return row;
  }

  async findByKey(key: GrantKey): Promise<GrantRecord | undefined> {
    const [row] = await this.select(hasKey(key));
    return row;
  }

  async listOfTenant(tenantId: string): Promise<readonly GrantRecord[]> {
    return this.select(Prisma.sql`tenant_id = ${tenantId}::uuid`);
  }

  async revoke(issuer: string, id: string): Promise<readonly Revocation[]> {
    if (!isStorable(id)) return [];
    return revokeGrants(this.database.client, Prisma.sql`issuer = ${issuer} AND id = ${id}`);
  }

  async sweep(before: Date): Promise<number> {
    const expired = Prisma.sql`expires_at < ${before} ORDER BY expires_at`;
    return deleteBatch(this.database.client, Prisma.sql`oauth_grants`, expired);
  }

  private select(which: Prisma.Sql): Promise<GrantRecord[]> {
    return this.database.client.$queryRaw<GrantRecord[]>`
      SELECT id, issuer, tenant_id::text AS "tenantId", account_id::text AS "accountId", client_id AS "clientId",
        resource, payload, expires_at AS "expiresAt"
      FROM oauth_grants WHERE ${which} AND expires_at > now() ORDER BY created_at DESC, id LIMIT 1000`;
  }

  /** An expired grant that no sweep has met yet must not stand in the way of its successor. */
  private makeRoom({ id, ...key }: GrantRecord): Prisma.PrismaPromise<number> {
    return this.database.client.$executeRaw`
      DELETE FROM oauth_grants WHERE ${hasKey(key)} AND id <> ${id} AND expires_at <= now()`;
  }

  /** A grant that was revoked between being read and saved; a statement of its own sees what the one before waited for. */
  private dropEnded({ id, issuer, tenantId }: GrantRecord): Prisma.PrismaPromise<number> {
    return this.database.client.$executeRaw`
      DELETE FROM oauth_grants WHERE issuer = ${issuer} AND id = ${id} AND EXISTS (
        SELECT FROM revocations WHERE tenant_id = ${tenantId}::uuid AND subject = ${id} AND expires_at > now())`;
  }

  private upsert({ payload, expiresAt, ...grant }: GrantRecord): Prisma.PrismaPromise<number> {
    return this.database.client.$executeRaw`
      INSERT INTO oauth_grants AS known
        (id, issuer, tenant_id, account_id, client_id, resource, payload, expires_at)
      VALUES (${grant.id}, ${grant.issuer}, ${grant.tenantId}::uuid, ${grant.accountId}::uuid, ${grant.clientId},
        ${grant.resource}, ${JSON.stringify(payload)}::json, ${expiresAt})
      ON CONFLICT (id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
      WHERE (known.issuer, known.tenant_id, known.account_id, known.client_id, known.resource)
        IS NOT DISTINCT FROM
          (excluded.issuer, excluded.tenant_id, excluded.account_id, excluded.client_id, excluded.resource)
        AND (known.tenant_id IS NOT NULL OR known.expires_at > now())`;
  }
}

function hasKey({ issuer, accountId, clientId, resource }: GrantKey): Prisma.Sql {
  return Prisma.sql`issuer = ${issuer} AND account_id = ${accountId}::uuid AND client_id = ${clientId}
    AND resource = ${resource}`;
}
