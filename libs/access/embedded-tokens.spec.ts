import { createHmac, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compact, nowS, TokenIssuer } from '../../test/support/token-issuer.js';
import { placeOf } from '../../test/support/guarded-place.js';
import { AccessTokenStrategy } from './access-token.strategy.js';
import { EmbeddedTokens } from './embedded-tokens.js';
import { KeysUnavailableError } from './key-source.js';
import { RememberingKeys } from './remembering-keys.js';
import type { VerifiedToken } from './token-verifier.js';

const place = placeOf();
const { origin, resource } = place.address;
const asked: string[] = [];
const revoked = new Set<string>();
let ours: TokenIssuer;
let rsa: TokenIssuer;
let stranger: TokenIssuer;
let tokens: EmbeddedTokens;

beforeAll(async () => {
  ours = await TokenIssuer.create('ours');
  rsa = await TokenIssuer.create('rsa', 'RS256');
  stranger = await TokenIssuer.create('ours');
  const keys = {
    find: async (kid: string, alg: string): Promise<KeyObject | undefined> => {
      asked.push(kid);
      if (kid === 'broken') throw new Error('the database is down');
      return [ours, rsa].find((issuer) => issuer.kid === kid && issuer.alg === alg)?.publicKey;
    },
  };
  const revocations = {
    isRevoked: async ({ tenantId, subject }: { tenantId: string; subject: string }) =>
      revoked.has(`${tenantId} ${subject}`),
  };
  tokens = new EmbeddedTokens(new AccessTokenStrategy(), new RememberingKeys(keys), revocations);
});

const claims = (changes: object = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({
      iss: origin,
      aud: resource,
      sub: 'account-1',
      client_id: 'host',
      tenant: place.tenant.id,
      scope: 'mcp files:read',
      grant: 'grant-1',
      jti: 'x',
      iat: nowS(),
      exp: nowS() + 600,
      ...changes,
    }).filter(([, value]) => (value as unknown) !== undefined),
  );
const AT = { typ: 'at+jwt' };
const verify = (token: string) => tokens.verify(token, place);

describe('an access token of the embedded authorization server', () => {
  it.each(['ES256', 'RS256'])('is good here, signed with %s', async (alg) => {
    const verified = await verify(await (alg === 'ES256' ? ours : rsa).sign(claims(), AT));
    expect(verified).toMatchObject({ subject: 'account-1', clientId: 'host', revocation: 'grant-1' });
    expect([...(verified as VerifiedToken).scopes]).toEqual(['mcp', 'files:read']);
  });

  it.each([
    ['just expired', { exp: -20 }, 'good'],
    ['expired', { exp: -40 }, 'expired'],
    ['good from soon on', { nbf: 20 }, 'good'],
    ['good from later on', { nbf: 40 }, 'invalid'],
  ])('that is %s', async (_what, times, expected) => {
    const shifted = Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, nowS() + seconds]));
    const verified = await verify(await ours.sign(claims(shifted), AT));
    expect(typeof verified === 'string' ? verified : 'good').toBe(expected);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['an issuer that differs by a slash', { iss: `${origin}/` }],
    ['another tenant', { aud: `${origin}/t/other/mcp` }],
    ['the other form of the tenant', { aud: 'https://acme.mcp.example.com/mcp' }],
    ['several resources', { aud: [resource] }],
    ['no resource', { aud: undefined }],
    ['another tenant by id', { tenant: 'id-of-other' }],
    ['no expiry', { exp: undefined }],
    ['an expiry in words', { exp: 'tomorrow' }],
    ['a start in words', { nbf: 'today' }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject that is a number', { sub: 5 }],
    ['several subjects', { sub: ['a'] }],
    ['the subject of the anonymous', { sub: 'anonymous' }],
    ['the subject of a static token', { sub: 'token:1' }],
    ['no client', { client_id: undefined }],
    ['a client that is an object', { client_id: {} }],
    ['scopes in an array', { scope: ['mcp'] }],
    ['scopes that are a number', { scope: 1 }],
    ['no tenant', { tenant: undefined }],
    ['no grant', { grant: undefined }],
    ['a grant that is null', { grant: null }],
  ])('for %s is not', async (_what, changes) => {
    expect(await verify(await ours.sign(claims(changes), AT))).toBe('invalid');
  });

  it('that never expires is not', async () => {
    const payload = JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999');
    expect(await verify(await ours.signText(payload, AT))).toBe('invalid');
    expect(await verify(await ours.signText(JSON.stringify(claims()), AT))).toMatchObject({ subject: 'account-1' });
  });

  it('is not good any more when its grant was revoked, here and not elsewhere', async () => {
    revoked.add('id-of-other grant-2').add(`${place.tenant.id} grant-3`);
    expect(await verify(await ours.sign(claims({ grant: 'grant-2' }), AT))).toMatchObject({ revocation: 'grant-2' });
    expect(await verify(await ours.sign(claims({ grant: 'grant-3' }), AT))).toBe('invalid');
  });
});

describe('a hostile token', () => {
  it.each([
    ['is not signed', () => compact({ alg: 'none', typ: 'at+jwt', kid: 'ours' }, claims())],
    ['is not signed, with a signature', () => compact({ alg: 'none', typ: 'at+jwt', kid: 'ours' }, claims(), 'AAAA')],
    ['says NONE', () => compact({ alg: 'nOnE', typ: 'at+jwt', kid: 'ours' }, claims(), 'AAAA')],
    ['has an empty signature', () => compact({ alg: 'ES256', typ: 'at+jwt', kid: 'ours' }, claims())],
    ['has a signature of zeros', () => compact({ alg: 'ES256', typ: 'at+jwt', kid: 'ours' }, claims(), 'A'.repeat(86))],
    ['has a short signature', () => compact({ alg: 'ES256', typ: 'at+jwt', kid: 'ours' }, claims(), 'AAAA')],
    ['is signed by another with our key id', () => stranger.sign(claims(), AT)],
    ['is of another type', () => ours.sign(claims(), { typ: 'JWT' })],
    ['is of no type', () => ours.sign(claims())],
    [
      'is of a type that is no text',
      () => compact({ alg: 'ES256', typ: ['at+jwt'], kid: 'ours' }, claims(), 'A'.repeat(86)),
    ],
    ['names the algorithm of another key', () => ours.sign(claims(), { ...AT, kid: 'rsa' })],
    ['brings its key along', () => stranger.sign(claims(), { ...AT, jwk: stranger.jwk })],
    ['says where its key is', () => stranger.sign(claims(), { ...AT, jku: 'https://evil.example/jwks' })],
    ['says where its certificate is', () => stranger.sign(claims(), { ...AT, x5u: 'https://evil.example/cert' })],
    ['brings a certificate along', () => stranger.sign(claims(), { ...AT, x5c: ['MIIB'] })],
    ['demands what is not done here', () => ours.sign(claims(), { ...AT, crit: ['extension'], extension: 1 })],
    ['has no key id', () => ours.sign(claims(), { ...AT, kid: undefined })],
    ['has a payload that is no object', () => compact({ alg: 'ES256', ...AT, kid: 'ours' }, [1], 'A'.repeat(86))],
  ])('that %s is refused', async (_what, make) => {
    expect(await verify(await make())).toBe('invalid');
  });

  it.each([
    '../../etc/passwd',
    "ours' OR '1'='1",
    'http://evil.example/key',
    '__proto__/x',
    'ours\u0000',
    'x'.repeat(129),
    '',
    { $ne: '' },
    ['ours'],
    5,
    null,
  ])('with the key id %j never gets to the keys', async (kid) => {
    asked.length = 0;
    const token = compact({ alg: 'ES256', typ: 'at+jwt', kid }, claims(), 'A'.repeat(86));
    expect(await verify(token)).toBe('invalid');
    expect(asked).toEqual([]);
  });

  it.each(['HS256', 'HS384', 'HS512'])('signed with our public key as the secret of %s is refused', async (alg) => {
    for (const issuer of [ours, rsa]) {
      const secret = issuer.publicKey.export({ type: 'spki', format: 'pem' });
      const unsigned = compact({ alg, typ: 'at+jwt', kid: issuer.kid }, claims()).slice(0, -1);
      const signature = createHmac(alg.replace('HS', 'sha'), secret).update(unsigned).digest('base64url');
      expect(await verify(`${unsigned}.${signature}`)).toBe('invalid');
    }
  });

  it.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', '..', '.e30.', 'e30.e30.e30', `${'a'.repeat(9_000)}.b.c`])(
    'of the form %j is refused',
    async (token) => {
      expect(await verify(token)).toBe('invalid');
    },
  );

  it('with a key that is not known asks for it once in a while', async () => {
    asked.length = 0;
    const token = await stranger.sign(claims(), { ...AT, kid: 'unknown' });
    for (let time = 0; time < 3; time += 1) expect(await verify(token)).toBe('invalid');
    expect(asked).toEqual(['unknown']);
  });

  it('is not told from others while the keys cannot be read', async () => {
    const token = await stranger.sign(claims(), { ...AT, kid: 'broken' });
    await expect(verify(token)).rejects.toBeInstanceOf(KeysUnavailableError);
  });
});
