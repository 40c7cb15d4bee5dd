import { Injectable } from '@nestjs/common';
import { StaticTokenStore } from '#access/static-token.store.js';
import type { NewStaticToken, StaticTokenRecord } from '#access/static-token.store.js';
import { Database } from './database.js';
import { Prisma } from './generated/client.js';
import { isUuid } from './identifiers.js';
import { insertRevocations } from './revoke-grants.js';

const LIST_LIMIT = 1_000;
const WITHOUT_HASH = { hash: true } satisfies Prisma.StaticTokenOmit;

/** Static tokens in Postgres. */
@Injectable()
export class PrismaStaticTokenStore extends StaticTokenStore {
  constructor(private readonly database: Database) {
    super();
  }

  async create(token: NewStaticToken): Promise<StaticTokenRecord> {
    const { tenantId, name, hash, scopes, expiresAt } = token;
    const [made] = await this.database.client.$queryRaw<[Pick<StaticTokenRecord, 'id' | 'createdAt'>]>`
      INSERT INTO static_tokens (tenant_id, id, name, hash, scopes, expires_at)
      VALUES (${tenantId}::uuid, gen_random_uuid(), ${name}, ${hash}, ${scopes}::text[], ${expiresAt})
      RETURNING id::text, created_at AS "createdAt"`;
    return { tenantId, name, scopes, expiresAt, revokedAt: null, ...made };
  }

  async findByHash(tenantId: string, hash: string): Promise<StaticTokenRecord | undefined> {
    const where = { tenantId, hash };
    return (await this.database.client.staticToken.findUnique({ where, omit: WITHOUT_HASH })) ?? undefined;
  }

  async list(tenantId: string): Promise<readonly StaticTokenRecord[]> {
    return this.database.client.staticToken.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: LIST_LIMIT,
      omit: WITHOUT_HASH,
    });
  }

  async revoke(tenantId: string, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const revoked = await this.database.client.$queryRaw<unknown[]>`
      WITH token AS (
        UPDATE static_tokens SET revoked_at = coalesce(revoked_at, now())
        WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid
        RETURNING tenant_id, id
      )
      ${insertRevocations(Prisma.sql`SELECT tenant_id, 'static:' || id AS subject FROM token`)}`;
    return revoked.length > 0;
  }
}
