import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DocumentServer, RawDocument, runDocumentServer } from '../support/document-server.js';
import { asPage, claimsOf, OAuthClient, postForm } from '../support/oauth-client.js';
import { type Person, textOf } from '../support/person.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, runSecureDemo } from '../support/secure-demo.js';
import { nowS, TokenIssuer } from '../support/token-issuer.js';
import { hasOpenssl } from '../support/openssl.js';

const REDIRECT_URI = 'http://127.0.0.1/callback';

let site: DocumentServer;
let demo: RunningServer;
let issuer: string;
let resource: string;
let person: Person;

((await hasOpenssl()) ? describe : describe.skip)('client id documents', () => {
  beforeAll(async () => {
    site = await runDocumentServer();
    demo = await runSecureDemo({ environment: { OAUTH_RATE_FACTOR: '100', OUTBOUND_ALLOW: '127.0.0.0/8' } });
    issuer = demo.server.url;
    resource = demo.url('demo-secure');
    person = await personOf(demo, ['demo-secure']);
  });

  afterAll(async () => {
    await demo[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Serves a document under a URL of its own, and returns the URL. */
  function serve(document: (clientId: string) => unknown): string {
    const path = `/${randomUUID()}.json`;
    const clientId = site.origin + path;
    site.documents.set(path, document(clientId));
    return clientId;
  }

  const serveClient = (more: object = {}): string =>
    serve((clientId) => ({ client_id: clientId, client_name: 'A host', redirect_uris: [REDIRECT_URI], ...more }));
  const raw = (clientId: string, status = 200, headers = {}) =>
    new RawDocument(status, headers, JSON.stringify({ client_id: clientId, redirect_uris: [REDIRECT_URI] }));
  const client = (clientId: string, credentials?: Record<string, string>): OAuthClient =>
    new OAuthClient(issuer, clientId, 'http://127.0.0.1:33418/callback', credentials);
  const timesAsked = (clientId: string): number => site.asked.filter((path) => site.origin + path === clientId).length;

  describe('a client whose id is the URL of a document about it', () => {
    it('is taken as public where the document does not say otherwise, and is asked for once', async () => {
      const host = client(serveClient({ client_uri: site.origin, scope: 'notes:read unknown' }));
      const shown = asPage(await person.open(host.authorizationUrl({ resource })));
      expect(textOf(shown.text)).toContain(`identified by ${new URL(site.origin).host}`);
      const tokens = await host.tokens(person, { resource, scope: 'notes:write' });
      expect(tokens['scope']).toBe('mcp notes:write');
      expect(claimsOf(tokens['access_token'])['client_id']).toBe(host.id);
      expect((await host.refresh(tokens['refresh_token'])).status).toBe(200);
      expect(timesAsked(host.id)).toBe(1);
    });

    it('may authenticate with a key of the document', async () => {
      const key = await TokenIssuer.create('document-key', 'ES256');
      const id = serveClient({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } });
      const assertion = await key.sign({ iss: id, sub: id, aud: issuer, jti: randomUUID(), exp: nowS() + 60 });
      const host = client(id, {
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
      const code = await host.code(person, { resource });
      expect(await client(id).redeem(code)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect((await host.redeem(code)).body['scope']).toBe('mcp notes:read');
    });

    it('may have its keys in another document', async () => {
      const key = await TokenIssuer.create('document-key', 'RS256');
      const jwks = serve(() => ({ keys: [key.jwk] }));
      const id = serveClient({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: jwks });
      const assertion = await key.sign({ iss: id, sub: id, aud: issuer, jti: randomUUID(), exp: nowS() + 60 });
      const host = client(id, {
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      });
      expect((await host.redeem(await host.code(person, { resource }))).status).toBe(200);
    });

    it('gets nothing for itself, whatever the document says', async () => {
      const key = await TokenIssuer.create('document-key', 'ES256');
      const grants = { grant_types: ['authorization_code', 'client_credentials'] };
      const signed = serveClient({
        ...grants,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [key.jwk] },
      });
      const assertion = await key.sign({ iss: signed, sub: signed, aud: issuer, jti: randomUUID(), exp: nowS() + 60 });
      const attempts = [
        { client_id: serveClient(grants) },
        {
          client_assertion: assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        },
      ];
      for (const credentials of attempts) {
        const form = { grant_type: 'client_credentials', resource, scope: 'notes:write', ...credentials };
        const { status, body } = await postForm(`${issuer}/token`, form);
        expect([status, body['error'], body['access_token']]).toEqual([400, 'invalid_request', undefined]);
      }
    });
  });

  describe('a document that cannot be used', () => {
    const unusable: [string, (clientId: string) => unknown][] = [
      ['is not there', () => undefined],
      ['is somewhere else', (id) => raw(id, 302, { location: serveClient() })],
      ['is of another client', (id) => raw(`${id}x`)],
      ['is too large', (id) => ({ client_id: id, redirect_uris: [REDIRECT_URI], client_name: 'a'.repeat(6_000) })],
      ['is far too large', (id) => ({ client_id: id, redirect_uris: [REDIRECT_URI], filler: 'a'.repeat(600_000) })],
      ['is not JSON', () => new RawDocument(200, { 'content-type': 'text/html' }, '<!doctype html>')],
      ['is no object', () => [1]],
      ['has a secret', (id) => ({ client_id: id, redirect_uris: [REDIRECT_URI], client_secret: 'x' })],
      [
        'wants a shared secret',
        (id) => ({ client_id: id, redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'client_secret_post' }),
      ],
      ['redirects to a script', (id) => ({ client_id: id, redirect_uris: ['javascript:alert(1)'] })],
      ['has no redirect URI', (id) => ({ client_id: id })],
    ];

    it.each(unusable)(
      'is refused where it %s, and is asked for once by any number of attempts',
      async (_what, document) => {
        const host = client(serve(document));
        for (let attempt = 0; attempt < 3; attempt += 1) {
          const page = asPage(await person.open(host.authorizationUrl({ resource })));
          expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
        }
        const answers = await Promise.all(Array.from({ length: 5 }, () => host.refresh('x')));
        for (const { status, body } of answers) {
          expect([status, body['error']]).toEqual([
            expect.any(Number),
            expect.stringMatching(/^invalid_(?:client|redirect)/),
          ]);
          expect(status).toBe(body['error'] === 'invalid_client' ? 401 : 400);
        }
        expect(timesAsked(host.id)).toBe(1);
      },
    );
  });

  describe('a document at a place that may not be reached', () => {
    let strict: RunningServer;
    beforeAll(async () => {
      strict = await runSecureDemo();
    });
    afterAll(async () => strict[Symbol.asyncDispose]());

    it.each([
      'https://127.0.0.1/client.json',
      'https://localhost/client.json',
      'https://10.0.0.1/client.json',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/client.json',
      'https://[::ffff:127.0.0.1]/client.json',
      'https://0x7f.1/client.json',
    ])('is not asked for at %s unless the operator allows it', async (id) => {
      const answer = await new OAuthClient(strict.server.url, id).refresh('x');
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|ECONN|reached/);
    });

    it('is not asked for although it is there, and its server hears nothing', async () => {
      const id = serveClient();
      const host = new OAuthClient(strict.server.url, id);
      const page = asPage(await person.open(host.authorizationUrl({ resource: strict.url('demo-secure') })));
      expect([page.status, timesAsked(id)]).toEqual([400, 0]);
    });

    it.each([
      'http://127.0.0.1/client.json',
      'https://user@127.0.0.1/client.json',
      'https://127.0.0.1/client.json#a',
      'https://127.0.0.1/../client.json',
    ])('is no id of a client: %s', async (id) => {
      expect(await client(id).refresh('x')).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });
  });
});
