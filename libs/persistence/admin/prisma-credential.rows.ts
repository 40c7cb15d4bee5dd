import type { StaticTokenRecord } from '#access/static-token.store.js';
import type { CredentialRows } from '#admin/stores/credential.rows.js';
import { readMomentKey } from '#admin/stores/moment-key.js';
import type { PageTerms } from '#admin/stores/page.js';
import type { ClientRecord } from '#authorization/stores/client.store.js';
import type { Prisma } from '../generated/client.js';
import { isUuid } from '../identifiers.js';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
const WITHOUT_HASH = { hash: true } satisfies Prisma.StaticTokenOmit;

/** Clients and static tokens in Postgres. */
export class PrismaCredentialRows implements CredentialRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async clients(tenantId: string, { limit, after }: PageTerms): Promise<readonly ClientRecord[]> {
    const where = { tenantId, ...older(after) };
    const rows = await this.client.oAuthClient.findMany({ where, orderBy: NEWEST_FIRST, take: limit });
    return rows.map((row) => ({ ...row, metadata: row.metadata as ClientRecord['metadata'] }));
  }

  countClients(tenantId: string): Promise<number> {
    return this.client.oAuthClient.count({ where: { tenantId } });
  }

  async tokens(tenantId: string, { limit, after }: PageTerms): Promise<readonly StaticTokenRecord[]> {
    const where = { tenantId, AND: [good(), older(after)] };
    return this.client.staticToken.findMany({ where, orderBy: NEWEST_FIRST, take: limit, omit: WITHOUT_HASH });
  }

  async token(tenantId: string, id: string): Promise<StaticTokenRecord | undefined> {
    if (!isUuid(id)) return undefined;
    const where = { tenantId, id, ...good() };
    return (await this.client.staticToken.findFirst({ where, omit: WITHOUT_HASH })) ?? undefined;
  }

  countTokens(tenantId: string): Promise<number> {
    return this.client.staticToken.count({ where: { tenantId, ...good() } });
  }
}

function good() {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}

/** Made before the last of the page before. */
function older(after: string | undefined) {
  if (after === undefined) return {};
  const { at, id } = readMomentKey(after);
  return { OR: [{ createdAt: { lt: at } }, { createdAt: at, id: { lt: id } }] };
}
