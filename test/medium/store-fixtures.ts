import { randomBytes, randomUUID } from 'node:crypto';
import type { GrantRecord } from '#authorization/stores/grant.store.js';
import type { NewRecord } from '#authorization/stores/record.store.js';
import { type Database, openDatabase } from '#persistence/database.js';
import { applyMigrations } from '#persistence/migrations.js';
import { PrismaAccountStore } from '#persistence/prisma-account.store.js';
import { PrismaClientStore } from '#persistence/prisma-client.store.js';
import { PrismaGrantStore } from '#persistence/prisma-grant.store.js';
import { PrismaRecordStore } from '#persistence/prisma-record.store.js';
import { PrismaRevocationStore } from '#persistence/prisma-revocation.store.js';
import { PrismaSignInFailureStore } from '#persistence/prisma-sign-in-failure.store.js';
import { PrismaSigningKeyStore } from '#persistence/prisma-signing-key.store.js';
import { PrismaStaticTokenStore } from '#persistence/prisma-static-token.store.js';
import { PrismaTenantStore } from '#persistence/prisma-tenant.store.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import type { Engine } from '../support/databases.js';

export const HOUR_MS = 3_600_000;
export const ISSUER = 'https://causeway.example';

/** The stores of one node. */
export class Node {
  readonly tenants = new PrismaTenantStore(this.database);
  readonly accounts = new PrismaAccountStore(this.database);
  readonly clients = new PrismaClientStore(this.database);
  readonly grants = new PrismaGrantStore(this.database);
  readonly records = new PrismaRecordStore(this.database);
  readonly revocations = new PrismaRevocationStore(this.database);
  readonly failures = new PrismaSignInFailureStore(this.database);
  readonly keys = new PrismaSigningKeyStore(this.database);
  readonly staticTokens = new PrismaStaticTokenStore(this.database);

  constructor(readonly database: Database) {}

  async tenant(): Promise<TenantRecord> {
    const slug = `t-${randomBytes(6).toString('hex')}`;
    return this.tenants.create({ slug, title: 'A tenant', access: 'oauth', activations: [] });
  }

  async account(): Promise<string> {
    const login = `${randomUUID()}@example.org`;
    return (await this.accounts.create({ login, name: 'Ada', passwordHash: 'hash' })).id;
  }

  /** A grant that was saved, and a refresh token that names it. */
  async grant(given: Pick<GrantRecord, 'tenantId' | 'accountId'> & Partial<GrantRecord>): Promise<GrantRecord> {
    const grant = newGrant(given);
    await this.grants.save(grant);
    await this.records.save(newRecord({ kind: 'RefreshToken', grantId: grant.id }));
    return grant;
  }

  /** How many failed sign-ins each key has within its window. */
  async failuresOf(keys: readonly string[]): Promise<readonly number[]> {
    const rows = await this.database.client.$queryRaw<{ key: string; count: number }[]>`
      SELECT key, count FROM sign_in_failures WHERE expires_at > now()`;
    return keys.map((key) => rows.find((row) => row.key === key)?.count ?? 0);
  }

  /** How many records name the grant. */
  async recordsOf({ id }: GrantRecord): Promise<number> {
    return this.database.client.oAuthRecord.count({ where: { grantId: id } });
  }
}

/** An empty database, and the nodes on it: two where a database can have two, else the same one twice. */
export async function openNodes(engine: Engine): Promise<{ nodes: [Node, Node]; dispose: () => Promise<void> }> {
  const place = engine.empty();
  const database = await openDatabase(place.value);
  await applyMigrations(database);
  const other = engine.name === 'Postgres' ? await openDatabase(place.value) : database;
  const dispose = async (): Promise<void> => {
    await database.close();
    await other.close();
    await place.dispose();
  };
  return { nodes: [new Node(database), new Node(other)], dispose };
}

/** Eight times at once, in turn on either node. */
export function eightTimes<T>(
  nodes: readonly [Node, Node],
  run: (node: Node, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: 8 }, (_, index) => run(nodes[index % 2]!, index)));
}

export function inHours(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MS);
}

export function newGrant(given: Pick<GrantRecord, 'tenantId' | 'accountId'> & Partial<GrantRecord>): GrantRecord {
  const [id, clientId] = [randomUUID(), `client-${randomUUID()}`];
  const resource = `${ISSUER}/${given.tenantId}`;
  return { id, issuer: ISSUER, clientId, resource, payload: {}, expiresAt: inHours(1), ...given };
}

export function newRecord(given: Partial<NewRecord> = {}): NewRecord {
  const names = { grantId: null, accountId: null, userCodeHash: null, uidHash: null };
  return {
    issuer: ISSUER,
    kind: 'AuthorizationCode',
    idHash: randomUUID(),
    payload: {},
    expiresAt: inHours(1),
    ...names,
    ...given,
  };
}
