import { hash, randomBytes } from 'node:crypto';
import { ADMIN_ROLES } from '#tenancy/admin-roles.js';
import type { AdminKeyRow, AdminKeyRows, KeyAccount, NewAdminKey } from '../stores/admin-key.rows.js';
import type { AdminCaller } from './admin-caller.js';
import type { AdminScope } from './admin-scopes.js';
import type { AdminTokens } from './admin-tokens.js';

const PREFIX = 'cwk_';
const KEY = /^cwk_[A-Za-z0-9_-]{43}$/;
const BYTES = 32;

/** A key that was just made. The key itself is shown once: it is kept nowhere. */
export interface IssuedAdminKey {
  readonly key: string;
  readonly row: AdminKeyRow;
}

/** Makes a key to the admin API. */
export async function issueAdminKey(rows: AdminKeyRows, request: Omit<NewAdminKey, 'hash'>): Promise<IssuedAdminKey> {
  const key = `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
  return { key, row: await rows.create({ ...request, hash: hashOf(key) }) };
}

/** Knows admin keys by their hashes. What a person's key permits is looked up each time. */
export class AdminKeys implements AdminTokens {
  constructor(private readonly rows: Pick<AdminKeyRows, 'findByHash' | 'markUsed'>) {}

  async verify(token: string): Promise<AdminCaller | 'invalid' | undefined> {
    if (!token.startsWith(PREFIX)) return undefined;
    const found = KEY.test(token) ? await this.rows.findByHash(hashOf(token)) : undefined;
    if (!found || !isGood(found.key)) return 'invalid';
    const { key, account } = found;
    const caller = account ? accountCaller(key, account) : keyCaller(key);
    if (caller) await this.rows.markUsed(key.id);
    return caller ?? 'invalid';
  }
}

function isGood({ revokedAt, expiresAt }: AdminKeyRow): boolean {
  return !revokedAt && (!expiresAt || expiresAt.getTime() > Date.now());
}

function keyCaller({ id, name, tenantId, scopes }: AdminKeyRow): AdminCaller {
  const tenants = new Map<string, readonly AdminScope[]>(tenantId === null ? [] : [[tenantId, scopes]]);
  return { actor: `key:${id}`, name, everywhere: tenantId === null ? scopes : undefined, tenants };
}

/** Undefined when the person is no admin of anything any more. */
function accountCaller(
  { accountId, name, scopes }: AdminKeyRow,
  { operator, active, roles }: KeyAccount,
): AdminCaller | undefined {
  const tenants = new Map(
    roles.filter(({ role }) => ADMIN_ROLES.has(role)).map(({ tenantId }) => [tenantId, scopes] as const),
  );
  if (!active || (!operator && tenants.size === 0)) return undefined;
  return { actor: `account:${accountId ?? ''}`, name, everywhere: operator ? scopes : undefined, tenants };
}

function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
