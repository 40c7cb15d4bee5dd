import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TokenIssuer } from '../../test/support/token-issuer.js';
import { metadataUrls } from './issuer-discovery.js';
import { KeysUnavailableError } from './key-source.js';
import { RemoteKeys } from './remote-keys.js';

const ISSUER = 'https://id.example.com/realms/acme';
const [WELL_KNOWN = ''] = metadataUrls(ISSUER);
const KEYS = 'https://id.example.com/keys';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let first: TokenIssuer;
let second: TokenIssuer;
let documents: Map<string, unknown>;
let fetched: string[];
let down: boolean;
let now: number;
let failures: unknown[];

beforeAll(async () => {
  [first, second] = await Promise.all([TokenIssuer.create('first'), TokenIssuer.create('second')]);
});

beforeEach(() => {
  documents = new Map<string, unknown>([
    [WELL_KNOWN, { issuer: ISSUER, jwks_uri: KEYS }],
    [KEYS, { keys: [first.jwk] }],
  ]);
  [fetched, failures, down, now] = [[], [], false, Date.now()];
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(() => {
  jest.restoreAllMocks();
});

async function fetchDocument(url: string): Promise<Response> {
  fetched.push(url);
  await Promise.resolve();
  if (down) throw new TypeError('fetch failed');
  const document = documents.get(url);
  return document === undefined ? new Response('<html>', { status: 404 }) : Response.json(document);
}

const keysOf = (issuer = ISSUER) => new RemoteKeys(issuer, fetchDocument, (error) => failures.push(error));
const count = (): number => fetched.filter((url) => url === KEYS).length;

describe('the places of an issuer’s metadata', () => {
  it('are its own path and the two below the root', () => {
    expect(metadataUrls(ISSUER)).toEqual([
      'https://id.example.com/realms/acme/.well-known/openid-configuration',
      'https://id.example.com/.well-known/oauth-authorization-server/realms/acme',
      'https://id.example.com/.well-known/openid-configuration/realms/acme',
    ]);
    for (const issuer of ['https://acme.eu.auth0.com/', 'https://acme.eu.auth0.com']) {
      expect(metadataUrls(issuer)).toEqual([
        'https://acme.eu.auth0.com/.well-known/openid-configuration',
        'https://acme.eu.auth0.com/.well-known/oauth-authorization-server',
      ]);
    }
  });
});

describe('the keys of an external issuer', () => {
  it('are fetched once, however many ask', async () => {
    const keys = keysOf();
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.find('first', 'ES256')));
    expect(new Set(found.map((key) => key?.asymmetricKeyType))).toEqual(new Set(['ec']));
    expect(fetched).toEqual([WELL_KNOWN, KEYS]);
  });

  it.each([1, 2])('are found at the place number %i as well', async (index) => {
    documents.delete(WELL_KNOWN);
    documents.set(metadataUrls(ISSUER)[index]!, { issuer: ISSUER, jwks_uri: KEYS });
    expect(await keysOf().find('first', 'ES256')).toBeDefined();
  });

  it.each([
    ['another issuer by a slash', { issuer: `${ISSUER}/`, jwks_uri: KEYS }],
    ['no issuer', { jwks_uri: KEYS }],
    ['no keys', { issuer: ISSUER }],
    ['keys at no URL', { issuer: ISSUER, jwks_uri: '/keys' }],
    ['nothing at all', []],
  ])('are not taken from a document that names %s', async (_what, document) => {
    documents.set(WELL_KNOWN, document);
    await expect(keysOf().find('first', 'ES256')).rejects.toBeInstanceOf(KeysUnavailableError);
    expect(count()).toBe(0);
  });

  it('come anew with a key that is not known, at most every 30 seconds', async () => {
    const keys = keysOf();
    await keys.find('first', 'ES256');
    documents.set(KEYS, { keys: [first.jwk, second.jwk] });
    expect(await keys.find('second', 'ES256')).toBeUndefined();
    now += 31 * SECOND;
    const found = await Promise.all(['second', 'third', 'second'].map((kid) => keys.find(kid, 'ES256')));
    expect(found.map((key) => key !== undefined)).toEqual([true, false, true]);
    for (let time = 0; time < 50; time += 1) await keys.find(`unknown ${time}`, 'ES256');
    expect(count()).toBe(2);
  });

  it('that the issuer has taken back are dropped within ten minutes or so', async () => {
    const keys = keysOf();
    await keys.find('first', 'ES256');
    documents.set(KEYS, { keys: [second.jwk] });
    now += 11 * MINUTE;
    expect(await keys.find('first', 'ES256')).toBeDefined();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await new Promise(setImmediate);
    expect(await keys.find('first', 'ES256')).toBeUndefined();
  });

  it('stay good for a day while the issuer is out of reach, and no longer', async () => {
    const keys = keysOf();
    await keys.find('first', 'ES256');
    down = true;
    now += 23 * HOUR;
    expect(await keys.find('first', 'ES256')).toBeDefined();
    await new Promise(setImmediate);
    expect(failures).toHaveLength(1);
    expect(await keys.find('unknown', 'ES256')).toBeUndefined();
    now += 2 * HOUR;
    await expect(keys.find('first', 'ES256')).rejects.toBeInstanceOf(KeysUnavailableError);
    down = false;
    now += 11 * SECOND;
    expect(await keys.find('first', 'ES256')).toBeDefined();
  });

  it('are not asked for again for ten seconds after a failure', async () => {
    down = true;
    const keys = keysOf();
    for (let time = 0; time < 5; time += 1) {
      await expect(keys.find('first', 'ES256')).rejects.toBeInstanceOf(KeysUnavailableError);
    }
    expect(fetched).toEqual([WELL_KNOWN]);
    now += 11 * SECOND;
    down = false;
    expect(await keys.find('first', 'ES256')).toBeDefined();
  });

  it('are left out when they are secret, weak, for something else, or nothing', async () => {
    const weak = (await import('node:crypto')).generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
    const bad = [
      { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
      { ...weak.export({ format: 'jwk' }), kid: 'weak' },
      { ...second.jwk, use: 'enc', kid: 'encryption' },
      { ...second.jwk, kid: 5 },
      { ...second.jwk, kid: 'broken', x: 'AAAA' },
      null,
      'key',
    ];
    documents.set(KEYS, { keys: [...bad, first.jwk] });
    const keys = keysOf();
    for (const kid of ['secret', 'weak', 'encryption', 'broken']) {
      for (const alg of ['HS256', 'RS256', 'ES256']) expect(await keys.find(kid, alg)).toBeUndefined();
    }
    expect(await keys.find('first', 'ES256')).toBeDefined();
    expect(await keys.find('first', 'ES384')).toBeUndefined();
  });

  it.each([[{ keys: {} }], [{}], ['no object']])('cannot be had from %j', async (set) => {
    documents.set(KEYS, set);
    await expect(keysOf().find('first', 'ES256')).rejects.toBeInstanceOf(KeysUnavailableError);
  });
});
