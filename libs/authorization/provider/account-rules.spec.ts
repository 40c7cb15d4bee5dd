import { describe, expect, it } from '@jest/globals';
import { readAccessPolicy } from '#tenancy/access-policy.js';
import type { Account } from '../stores/account.store.js';
import { accountFits, scopesOfRole } from './account-rules.js';

const scopes = ['mcp', 'files', 'files:read', 'files:write', 'notes:read'];
const roles = {
  owner: ['*'],
  editor: ['files'],
  reader: ['files:read', 'notes:read', 'unknown'],
  nobody: [],
};
const tenant = { policy: readAccessPolicy({ roles }), scopes };

describe('what a role may grant', () => {
  it.each([
    ['owner', scopes],
    ['editor', ['mcp', 'files', 'files:read', 'files:write']],
    ['reader', ['mcp', 'files:read', 'notes:read']],
    ['nobody', ['mcp']],
    ['a role that the tenant does not have', ['mcp']],
    ['constructor', ['mcp']],
    ['__proto__', ['mcp']],
    ['', ['mcp']],
  ])('as %s is %j', (role, expected) => {
    expect(scopesOfRole(role, tenant)).toEqual(expected);
  });

  it('does not reach up from a part to the whole, nor to a name that only begins alike', () => {
    const policy = readAccessPolicy({ roles: { reader: ['files:read'] } });
    const named = ['mcp', 'files', 'files:reader', 'files:read:all'];
    expect(scopesOfRole('reader', { policy, scopes: named })).toEqual(['mcp', 'files:read:all']);
  });

  it('is everything for owners, admins and members where the tenant says nothing', () => {
    const open = { policy: readAccessPolicy({}), scopes };
    for (const role of ['owner', 'admin', 'member']) expect(scopesOfRole(role, open)).toEqual(scopes);
    expect(scopesOfRole('guest', open)).toEqual(['mcp']);
  });
});

describe('an account', () => {
  const account = (tenantId: string | null): Account => ({
    ...{ id: 'ada', tenantId, login: null, name: 'Ada', email: null, passwordHash: null, status: 'active' },
  });
  const resourceOf = (tenantId: string | null, passwordSignIn: boolean) => {
    return { tenantId, policy: readAccessPolicy({ passwordSignIn }) };
  };

  it.each<[string, string | null, boolean, boolean]>([
    ['of the platform fits where passwords are taken', null, true, true],
    ['of the platform does not fit where they are not', null, false, false],
    ['of the tenant fits', 'acme', false, true],
    ['of another tenant does not fit', 'other', true, false],
  ])('%s', (_what, tenantId, passwordSignIn, expected) => {
    expect(accountFits(account(tenantId), resourceOf('acme', passwordSignIn))).toBe(expected);
  });

  it('of a tenant does not fit what is the platform’s own', () => {
    expect(accountFits(account('acme'), resourceOf(null, true))).toBe(false);
    expect(accountFits(account(null), resourceOf(null, true))).toBe(true);
  });
});
