import type { PageTerms } from '#admin/stores/page.js';
import type { SecretRow, SecretRows } from '#admin/stores/secret.rows.js';
import type { Prisma } from '../generated/client.js';

const SHOWN = { name: true, version: true, createdAt: true, updatedAt: true } satisfies Prisma.SecretSelect;

/** Secrets in Postgres, without their values. */
export class PrismaSecretRows implements SecretRows {
  constructor(private readonly client: Prisma.TransactionClient) {}

  async find(tenantId: string, name: string): Promise<SecretRow | undefined> {
    const where = { tenantId_name: { tenantId, name } };
    return (await this.client.secret.findUnique({ where, select: SHOWN })) ?? undefined;
  }

  async list(tenantId: string, { limit, after }: PageTerms): Promise<readonly SecretRow[]> {
    return this.client.secret.findMany({
      where: { tenantId, ...(after !== undefined && { name: { gt: after } }) },
      orderBy: { name: 'asc' },
      take: limit,
      select: SHOWN,
    });
  }

  count(tenantId: string): Promise<number> {
    return this.client.secret.count({ where: { tenantId } });
  }

  async put(tenantId: string, name: string, sealed: string): Promise<SecretRow> {
    return this.client.secret.upsert({
      where: { tenantId_name: { tenantId, name } },
      create: { tenantId, name, sealed },
      update: { sealed, version: { increment: 1 } },
      select: SHOWN,
    });
  }

  async remove(tenantId: string, name: string): Promise<void> {
    await this.client.secret.deleteMany({ where: { tenantId, name } });
  }
}
