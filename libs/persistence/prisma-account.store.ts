import { Injectable } from '@nestjs/common';
import type { Revocation } from '#access/revocation.store.js';
import { AccountStore, LoginTakenError, UnknownAccountError } from '#authorization/stores/account.store.js';
import type {
  Account,
  AccountStatus,
  AdminRights,
  Member,
  NewAccount,
  UpstreamIdentity,
} from '#authorization/stores/account.store.js';
import { ADMIN_ROLES } from '#tenancy/admin-roles.js';
import { Database } from './database.js';
import { isUniqueViolation } from './database-errors.js';
import { Prisma } from './generated/client.js';
import { isStorable, isUuid } from './identifiers.js';
import { revokeGrants } from './revoke-grants.js';

const MAX_LISTED = 1_000;
const WITHOUT_DATE = { createdAt: true, operator: true } satisfies Prisma.AccountOmit;

/** Accounts in Postgres. */
@Injectable()
export class PrismaAccountStore extends AccountStore {
  constructor(private readonly database: Database) {
    super();
  }

  async create({ login, name, passwordHash, operator = false }: NewAccount): Promise<Account> {
    const address = login.toLowerCase();
    const data = { login: address, email: address, name, passwordHash, operator };
    try {
      return await this.database.client.account.create({ data, omit: WITHOUT_DATE });
    } catch (error) {
      throw isUniqueViolation(error) ? new LoginTakenError() : error;
    }
  }

  async find(id: string): Promise<Account | undefined> {
    return isUuid(id) ? this.findBy({ id }) : undefined;
  }

  async findByLogin(login: string): Promise<Account | undefined> {
    return isStorable(login) ? this.findBy({ login: login.toLowerCase() }) : undefined;
  }

  async list(): Promise<readonly Account[]> {
    return this.database.client.account.findMany({
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: MAX_LISTED,
      omit: WITHOUT_DATE,
    });
  }

  /** The account and what hangs on it are made in one transaction: it fails as a whole when another came first. */
  async findOrCreateUpstream(identity: UpstreamIdentity, newcomerRole: string | undefined): Promise<Account> {
    const known = await this.follow(identity);
    if (known) return known;
    try {
      return await this.createUpstream(identity, newcomerRole);
    } catch (error) {
      const winner = isUniqueViolation(error) ? await this.follow(identity) : undefined;
      if (winner) return winner;
      throw error;
    }
  }

  async membersOf(tenantId: string): Promise<readonly Member[]> {
    return this.database.client.membership.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'desc' }, { accountId: 'desc' }],
      take: MAX_LISTED,
      select: { role: true, account: { omit: WITHOUT_DATE } },
    });
  }

  async roleIn(tenantId: string, accountId: string): Promise<string | undefined> {
    if (!isUuid(accountId)) return undefined;
    const where = { tenantId_accountId: { tenantId, accountId } };
    return (await this.database.client.membership.findUnique({ where, select: { role: true } }))?.role;
  }

  async adminRights(accountId: string): Promise<AdminRights | undefined> {
    if (!isUuid(accountId)) return undefined;
    const memberships = { where: { role: { in: [...ADMIN_ROLES] } }, select: { tenantId: true } };
    const found = await this.database.client.account.findFirst({
      where: { id: accountId, tenantId: null, status: 'active' },
      select: { operator: true, memberships },
    });
    return found
      ? { operator: found.operator, tenantIds: found.memberships.map(({ tenantId }) => tenantId) }
      : undefined;
  }

  async setMembership(tenantId: string, accountId: string, role: string): Promise<void> {
    if (!isUuid(accountId)) throw new UnknownAccountError();
    const set = await this.database.client.$executeRaw`
      INSERT INTO memberships (tenant_id, account_id, role)
      SELECT ${tenantId}::uuid, id, ${role} FROM accounts
      WHERE id = ${accountId}::uuid AND (tenant_id IS NULL OR tenant_id = ${tenantId}::uuid)
      ON CONFLICT (tenant_id, account_id) DO UPDATE SET role = excluded.role`;
    if (set === 0) throw new UnknownAccountError();
  }

  async removeMembership(tenantId: string, accountId: string): Promise<readonly Revocation[]> {
    if (!isUuid(accountId)) return [];
    const { client } = this.database;
    const [, revoked] = await client.$transaction([
      client.membership.deleteMany({ where: { tenantId, accountId } }),
      revokeGrants(client, Prisma.sql`tenant_id = ${tenantId}::uuid AND account_id = ${accountId}::uuid`),
    ]);
    return revoked;
  }

  async makeFirstOperator(accountId: string): Promise<boolean> {
    if (!isUuid(accountId)) return false;
    const made = await this.database.client.$executeRaw`
      UPDATE accounts SET operator = true
      WHERE id = ${accountId}::uuid AND tenant_id IS NULL AND NOT EXISTS (SELECT FROM accounts WHERE operator)`;
    return made > 0;
  }

  async setOperator(accountId: string, operator: boolean): Promise<boolean> {
    if (!isUuid(accountId)) return false;
    const where = { id: accountId, tenantId: null };
    return (await this.database.client.account.updateMany({ where, data: { operator } })).count > 0;
  }

  async setPassword(accountId: string, passwordHash: string): Promise<void> {
    await this.database.client.account.updateMany({ where: { id: accountId }, data: { passwordHash } });
  }

  async setStatus(accountId: string, status: AccountStatus): Promise<readonly Revocation[]> {
    const { client } = this.database;
    const set = client.account.updateMany({ where: { id: accountId }, data: { status } });
    if (status === 'active') {
      await set;
      return [];
    }
    const endSessions = client.oAuthRecord.deleteMany({ where: { kind: 'Session', accountId } });
    const revoke = revokeGrants(client, Prisma.sql`account_id = ${accountId}::uuid`);
    const [, , revoked] = await client.$transaction([set, endSessions, revoke]);
    return revoked;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.database.client.account.findFirst({ select: { id: true } })) === null;
  }

  private async findBy(where: Prisma.AccountWhereUniqueInput): Promise<Account | undefined> {
    return (await this.database.client.account.findUnique({ where, omit: WITHOUT_DATE })) ?? undefined;
  }

  /** The account of an identity that is known, with the name and address that the provider gives now. */
  private async follow({ tenantId, issuer, subject, name, email }: UpstreamIdentity): Promise<Account | undefined> {
    const [account] = await this.database.client.$queryRaw<Account[]>`
      UPDATE accounts SET name = ${name}, email = ${email}
      FROM identities AS identity
      WHERE identity.tenant_id = ${tenantId}::uuid AND identity.issuer = ${issuer} AND identity.subject = ${subject}
        AND accounts.id = identity.account_id
      RETURNING accounts.id::text, accounts.tenant_id::text AS "tenantId", login, name, email,
        password_hash AS "passwordHash", status::text`;
    return account;
  }

  private createUpstream(identity: UpstreamIdentity, role: string | undefined): Promise<Account> {
    const { tenantId, issuer, subject, name, email } = identity;
    const data = {
      tenantId,
      name,
      email,
      identities: { create: { tenantId, issuer, subject } },
      ...(role !== undefined && { memberships: { create: { tenantId, role } } }),
    };
    return this.database.client.account.create({ data, omit: WITHOUT_DATE });
  }
}
