import type { MemberRow, MemberRows } from '#admin/stores/member.rows.js';
import type { PageTerms } from '#admin/stores/page.js';
import type { Prisma } from '../generated/client.js';
import { isUuid } from '../identifiers.js';

const SELECT = {
  accountId: true,
  role: true,
  createdAt: true,
  account: { select: { name: true, login: true, email: true, status: true } },
} satisfies Prisma.MembershipSelect;

type Row = Prisma.MembershipGetPayload<{ select: typeof SELECT }>;

/** Members in Postgres. */
export class PrismaMemberRows implements MemberRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async find(tenantId: string, accountId: string): Promise<MemberRow | undefined> {
    if (!isUuid(accountId)) return undefined;
    const where = { tenantId_accountId: { tenantId, accountId } };
    const row = await this.client.membership.findUnique({ where, select: SELECT });
    return row ? asMember(row) : undefined;
  }

  /** Ids of accounts grow with time. */
  async list(tenantId: string, { limit, after }: PageTerms): Promise<readonly MemberRow[]> {
    const rows = await this.client.membership.findMany({
      where: { tenantId, ...(after !== undefined && { accountId: { lt: after } }) },
      orderBy: { accountId: 'desc' },
      take: limit,
      select: SELECT,
    });
    return rows.map(asMember);
  }

  countOfRole(tenantId: string, role: string): Promise<number> {
    return this.client.membership.count({ where: { tenantId, role } });
  }
}

function asMember({ accountId, role, createdAt, account: { name, login, email, status } }: Row): MemberRow {
  return { accountId, name, email: login ?? email, status, role, since: createdAt };
}
