import type { AdminScope } from '#admin/access/admin-scopes.js';
import type { AdminKeyRow, AdminKeyRows, KeyAccount, NewAdminKey } from '#admin/stores/admin-key.rows.js';
import type { PageTerms } from '#admin/stores/page.js';
import type { Prisma } from '../generated/client.js';
import { isUuid } from '../identifiers.js';

/** How often it is noted that a key is used, in milliseconds. */
const NOTED_MS = 60_000;

const SHOWN = { tenant: { select: { slug: true } } } satisfies Prisma.AdminKeyInclude;
const OMIT = { hash: true } satisfies Prisma.AdminKeyOmit;
const ACCOUNT = {
  operator: true,
  status: true,
  memberships: { select: { tenantId: true, role: true } },
} satisfies Prisma.AccountSelect;

type KeyRow = Prisma.AdminKeyGetPayload<{ include: typeof SHOWN; omit: typeof OMIT }>;

/** Admin keys in Postgres. */
export class PrismaAdminKeyRows implements AdminKeyRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async create(key: NewAdminKey): Promise<AdminKeyRow> {
    const data = { ...key, scopes: [...key.scopes] };
    return asKey(await this.client.adminKey.create({ data, include: SHOWN, omit: OMIT }));
  }

  async findByHash(
    hash: string,
  ): Promise<{ readonly key: AdminKeyRow; readonly account: KeyAccount | undefined } | undefined> {
    const include = { ...SHOWN, account: { select: ACCOUNT } };
    const row = await this.client.adminKey.findUnique({ where: { hash }, include, omit: OMIT });
    if (!row) return undefined;
    const { account, ...key } = row;
    if (!account) return { key: asKey(key), account: undefined };
    const { operator, status, memberships } = account;
    return { key: asKey(key), account: { operator, active: status === 'active', roles: memberships } };
  }

  async find(id: string): Promise<AdminKeyRow | undefined> {
    if (!isUuid(id)) return undefined;
    const row = await this.client.adminKey.findUnique({ where: { id }, include: SHOWN, omit: OMIT });
    return row ? asKey(row) : undefined;
  }

  async list(tenantIds: readonly string[] | undefined, { limit, after }: PageTerms): Promise<readonly AdminKeyRow[]> {
    const rows = await this.client.adminKey.findMany({
      where: {
        ...good(),
        ...(tenantIds && { tenantId: { in: [...tenantIds] } }),
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
      include: SHOWN,
      omit: OMIT,
    });
    return rows.map(asKey);
  }

  count(tenantId: string | null): Promise<number> {
    return this.client.adminKey.count({ where: { ...good(), tenantId, accountId: null } });
  }

  async revoke(id: string): Promise<void> {
    await this.client.adminKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
  }

  async markUsed(id: string): Promise<void> {
    const now = new Date();
    const before = new Date(now.getTime() - NOTED_MS);
    await this.client.adminKey.updateMany({
      where: { id, OR: [{ usedAt: null }, { usedAt: { lt: before } }] },
      data: { usedAt: now },
    });
  }
}

/** Neither revoked nor expired. */
function good(): Prisma.AdminKeyWhereInput {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}

function asKey({ tenant, scopes, ...row }: KeyRow): AdminKeyRow {
  return { ...row, tenant: tenant?.slug ?? null, scopes: scopes as AdminScope[] };
}
