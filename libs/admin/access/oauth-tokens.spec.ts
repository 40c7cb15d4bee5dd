import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccessTokenStrategy } from '#access/access-token.strategy.js';
import type { AdminRights } from '#authorization/stores/account.store.js';
import type { GrantRecord } from '#authorization/stores/grant.store.js';
import { nowS, TokenIssuer } from '../../../test/support/token-issuer.js';
import { OAuthTokens } from './oauth-tokens.js';

const ORIGIN = 'https://mcp.example.com';
const RESOURCE = `${ORIGIN}/admin/v1`;
const GRANT = { id: 'grant-1', tenantId: null, accountId: 'ada', clientId: 'cli' };
const ACCOUNT = { id: 'ada', tenantId: null, login: 'ada@example.com', name: 'Ada', email: null, passwordHash: null };
const AT = { typ: 'at+jwt' };

let ours: TokenIssuer;
let stranger: TokenIssuer;
let grant: Pick<GrantRecord, 'id' | 'tenantId' | 'accountId' | 'clientId'> | undefined;
let rights: AdminRights | undefined;
let tokens: OAuthTokens;

beforeAll(async () => {
  ours = await TokenIssuer.create('ours');
  stranger = await TokenIssuer.create('ours');
  tokens = new OAuthTokens({
    strategy: new AccessTokenStrategy(),
    keys: { find: (kid) => Promise.resolve(kid === 'ours' ? ours.publicKey : undefined) },
    accounts: {
      find: (id) => Promise.resolve(id === 'ada' ? { ...ACCOUNT, status: 'active' } : undefined),
      adminRights: (id) => Promise.resolve(id === 'ada' ? rights : undefined),
    },
    grants: {
      find: (issuer, id) => Promise.resolve(issuer === ORIGIN && id === grant?.id ? (grant as GrantRecord) : undefined),
    },
    publicOrigin: () => ORIGIN,
  });
});

beforeEach(() => {
  grant = GRANT;
  rights = { operator: false, tenantIds: ['acme'] };
});

const claims = (changes: object = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({
      iss: ORIGIN,
      aud: RESOURCE,
      sub: 'ada',
      client_id: 'cli',
      scope: 'admin',
      grant: 'grant-1',
      iat: nowS(),
      exp: nowS() + 600,
      ...changes,
    }).filter(([, value]) => (value as unknown) !== undefined),
  );
const verify = async (changes?: object, header: Readonly<Record<string, unknown>> = AT) =>
  tokens.verify(await ours.sign(claims(changes), header));

describe('an access token for the admin API', () => {
  it('permits a tenant’s admin what its scopes say in the tenants that are theirs', async () => {
    expect(await verify({ scope: 'sources:write' })).toEqual({
      actor: 'account:ada',
      name: 'ada@example.com',
      everywhere: undefined,
      tenants: new Map([['acme', ['sources:write']]]),
    });
  });

  it('permits an operator the same everywhere', async () => {
    rights = { operator: true, tenantIds: [] };
    expect(await verify()).toMatchObject({ everywhere: ['*'] });
  });

  it('permits nobody anything by a scope that is none of its own', async () => {
    rights = { operator: true, tenantIds: ['acme'] };
    expect(await verify({ scope: 'mcp * notes:write' })).toMatchObject({
      everywhere: [],
      tenants: new Map([['acme', []]]),
    });
  });

  it.each<[string, object]>([
    ['is for a tenant', { aud: `${ORIGIN}/t/acme/mcp`, tenant: 'acme' }],
    ['names a tenant', { tenant: 'acme' }],
    ['is for several resources', { aud: [RESOURCE, `${ORIGIN}/t/acme/mcp`] }],
    ['is for the origin', { aud: ORIGIN }],
    ['is for something below', { aud: `${RESOURCE}/tenants` }],
    ['is for nothing', { aud: undefined }],
    ['is of a tenant’s issuer', { iss: 'https://acme.mcp.example.com' }],
    ['has expired', { exp: nowS() - 60 }],
    ['never expires', { exp: undefined }],
    ['names no grant', { grant: undefined }],
    ['is of a client’s own', { grant: 'client:cli', sub: 'cli' }],
    ['is of another account than its grant', { sub: 'eve' }],
    ['is of another client than its grant', { client_id: 'other' }],
  ])('is refused when it %s', async (_what, changes) => {
    expect(await verify(changes)).toBe('invalid');
  });

  it('is refused with another’s signature, or when it is no access token', async () => {
    expect(await tokens.verify(await stranger.sign(claims(), AT))).toBe('invalid');
    expect(await verify({}, { typ: 'JWT' })).toBe('invalid');
  });

  it('is refused as soon as its grant has ended, or was one for a tenant', async () => {
    expect(await verify()).toHaveProperty('actor');
    grant = undefined;
    expect(await verify()).toBe('invalid');
    grant = { ...GRANT, tenantId: 'acme' };
    expect(await verify()).toBe('invalid');
  });

  it('is refused as soon as its account administers nothing, or is not active any more', async () => {
    rights = { operator: false, tenantIds: [] };
    expect(await verify()).toBe('invalid');
    rights = undefined;
    expect(await verify()).toBe('invalid');
  });

  it.each(['', 'cwk_abc', 'cwt_abc', 'a.b', 'a b.c.d'])('is not what %j looks like', async (text) => {
    expect(await tokens.verify(text)).toBeUndefined();
  });
});
