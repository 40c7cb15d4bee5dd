import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccessPolicyInput } from '#tenancy/access-policy.js';
import { placeOf } from '../../test/support/guarded-place.js';
import { nowS, TokenIssuer } from '../../test/support/token-issuer.js';
import { AccessTokenStrategy } from './access-token.strategy.js';
import { ExternalTokens } from './external-tokens.js';
import type { VerifiedToken } from './token-verifier.js';

const ISSUER = 'https://id.example.com/realms/acme';
let theirs: TokenIssuer;
let asked: string[];
let tokens: ExternalTokens;

beforeAll(async () => {
  theirs = await TokenIssuer.create('their+key/1=', 'RS256');
  asked = [];
  tokens = new ExternalTokens(new AccessTokenStrategy(), {
    of: (issuer) => ({
      find: async (kid, alg) => {
        asked.push(issuer);
        return kid === theirs.kid && alg === theirs.alg ? theirs.publicKey : undefined;
      },
    }),
  });
});

type Issuer = NonNullable<AccessPolicyInput['externalIssuer']>;

async function verify(
  claims: Readonly<Record<string, unknown>>,
  issuer: Partial<Issuer> = {},
  header: object = { typ: 'JWT' },
) {
  const place = placeOf({ policy: { externalIssuer: { issuer: ISSUER, ...issuer } } });
  const token = await theirs.sign({ iss: ISSUER, iat: nowS(), exp: nowS() + 300, ...claims }, { ...header });
  return tokens.verify(token, place);
}

const RESOURCE = placeOf().address.resource;
const plain = { aud: RESOURCE, sub: 'user', client_id: 'host', scope: 'files:read' };
const scopesOf = (verified: unknown): readonly string[] => [...(verified as VerifiedToken).scopes].sort();

describe('an access token of another issuer', () => {
  it('is good as Keycloak shapes it', async () => {
    const verified = await verify({
      jti: 'onrtac:1',
      aud: [RESOURCE, 'account'],
      sub: 'f:1:ada',
      typ: 'Bearer',
      azp: 'mcp-host',
      sid: 's',
      acr: '1',
      'allowed-origins': ['*'],
      realm_access: { roles: ['offline_access', 'writers'] },
      resource_access: { account: { roles: ['view-profile'] } },
      scope: 'openid email files:read',
      email_verified: true,
      preferred_username: 'ada',
    });
    expect(verified).toMatchObject({ subject: 'f:1:ada', clientId: 'mcp-host', revocation: undefined });
    expect(scopesOf(verified)).toEqual(['email', 'files:read', 'openid']);
  });

  it('is good as Entra shapes it', async () => {
    const guid = '6e74172b-be56-4843-9ff4-e66a39bb12e3';
    const verified = await verify(
      {
        aud: guid,
        sub: 'pairwise',
        azp: 'client-guid',
        scp: 'Files.Read',
        roles: ['Files.Admin'],
        ver: '2.0',
        tid: 't',
        oid: 'o',
      },
      {
        expectedAudience: guid,
        scopeClaims: ['scp', 'roles'],
        scopeMap: { 'Files.Read': ['files:read'], 'Files.Admin': ['files', 'audit'] },
        onlyMapped: true,
      },
    );
    expect(verified).toMatchObject({ subject: 'pairwise', clientId: 'client-guid' });
    expect(scopesOf(verified)).toEqual(['audit', 'files', 'files:read']);
  });

  it('is good as Auth0 shapes it', async () => {
    const verified = await verify(
      {
        aud: ['https://files.example.com', 'https://acme.eu.auth0.com/userinfo'],
        sub: 'auth0|1',
        azp: 'client',
        gty: 'password',
        scope: 'openid profile',
        permissions: ['files:read'],
      },
      { expectedAudience: 'https://files.example.com', scopeClaims: ['scope', 'permissions'] },
    );
    expect(verified).toMatchObject({ subject: 'auth0|1', clientId: 'client' });
    expect(scopesOf(verified)).toEqual(['files:read', 'openid', 'profile']);
  });

  it.each([['appid'], ['cid'], ['azp'], ['client_id']])('names its client in %s', async (claim) => {
    expect(await verify({ ...plain, client_id: undefined, [claim]: 'host' })).toMatchObject({ clientId: 'host' });
  });

  it('may have its scopes deeper inside, and under names with dots', async () => {
    const claims = {
      ...plain,
      realm_access: { roles: ['a'] },
      'https://example.com/groups': ['b'],
      constructor: { name: 'c' },
    };
    const scopeClaims = [
      'realm_access.roles',
      'https://example.com/groups',
      'constructor.name',
      'toString.name',
      'no.such',
    ];
    expect(scopesOf(await verify(claims, { scopeClaims }))).toEqual(['a', 'b', 'c']);
  });

  it('maps names that are on every object no more than others', async () => {
    const claims = { ...plain, scope: 'constructor __proto__ toString' };
    expect(scopesOf(await verify(claims, { onlyMapped: true, scopeMap: { a: ['b'] } }))).toEqual([]);
    expect(scopesOf(await verify(claims, { scopeMap: { constructor: ['b'] } }))).toEqual([
      '__proto__',
      'b',
      'toString',
    ]);
  });

  it('leaves out what cannot be a scope', async () => {
    const claims = { ...plain, scope: undefined, groups: ['Domain Users', 'a"b', '', 'ok'] };
    expect(scopesOf(await verify(claims, { scopeClaims: ['groups'] }))).toEqual(['ok']);
  });

  it.each([[{}], [{ typ: 'JWT' }], [{ typ: 'at+jwt' }], [{ typ: 'application/at+JWT' }]])(
    'may have the header %j',
    async (header) => {
      expect(await verify(plain, {}, header)).toMatchObject({ subject: 'user' });
    },
  );

  it.each([
    ['for another audience', { aud: 'account' }],
    ['for several others', { aud: ['account', `${RESOURCE}/`] }],
    ['with an audience that is no text', { aud: [RESOURCE, 5] }],
    ['without an audience', { aud: undefined }],
    ['of another issuer', { iss: `${ISSUER}/` }],
    ['that is an ID token of Keycloak', { typ: 'ID' }],
    ['that is a refresh token', { typ: 'Refresh' }],
    ['that is an ID token by its nonce', { nonce: 'n' }],
    ['that is an ID token by its at_hash', { at_hash: 'h' }],
    ['that is an ID token by its c_hash', { c_hash: 'h' }],
    ['without a subject', { sub: undefined }],
    ['with the subject of the anonymous', { sub: 'anonymous' }],
    ['without an expiry', { exp: undefined }],
    ['with scopes that are a number', { scope: 5 }],
    ['with scopes that are an object', { scope: { a: 1 } }],
    ['with scopes of which one is none', { scope: ['a', 5] }],
  ])('%s is refused', async (_what, changes) => {
    expect(await verify({ ...plain, ...changes })).toBe('invalid');
  });

  it.each([
    [{ typ: 'logout+jwt' }],
    [{ typ: 'dpop+jwt' }],
    [{ typ: 'JWT', jku: 'https://evil.example/' }],
    [{ typ: 'JWT', kid: '../../x' }],
    [{ typ: 'JWT', kid: undefined }],
  ])('with the header %j is refused', async (header) => {
    expect(await verify(plain, {}, header)).toBe('invalid');
  });

  it('is looked at with the keys of the issuer that the tenant names, whatever the token says', async () => {
    asked.length = 0;
    expect(await verify({ ...plain, iss: 'https://evil.example' })).toBe('invalid');
    expect(asked).toEqual([ISSUER]);
  });

  it('that has expired is told from others', async () => {
    expect(await verify({ ...plain, exp: nowS() - 60 })).toBe('expired');
  });
});
