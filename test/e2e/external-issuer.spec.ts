import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NotesModule } from '#server/demo/notes.module.js';
import type { AccessPolicyInput } from '#tenancy/access-policy.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { type ExternalIssuer, runExternalIssuer, type TokenShape } from '../support/external-issuer.js';
import { type RunningServer, runServer } from '../support/running-server.js';
import { REVISION } from '../support/wire.js';

const ENTRA_APPLICATION = '6f3f1d0e-8f0c-4a3a-9a53-0c6a0f6e5a11';

type Rules = Omit<NonNullable<AccessPolicyInput['externalIssuer']>, 'issuer'>;

/** How a product shapes its tokens, what the tenant's policy says of it, and what comes of both. */
interface Product {
  readonly slug: string;
  readonly shape: TokenShape;
  readonly rules: Rules;
  readonly scopes: readonly string[];
}

const PRODUCTS: readonly Product[] = [
  {
    slug: 'keycloak',
    shape: {
      add: ({ resource }) => ({
        typ: 'Bearer',
        azp: 'an-agent',
        aud: [resource, 'account'],
        realm_access: { roles: ['editors', 'offline_access'] },
        resource_access: { account: { roles: ['view-profile'] } },
        acr: '1',
      }),
      leaveOut: ['client_id'],
    },
    rules: { scopeClaims: ['realm_access.roles'], scopeMap: { editors: ['notes'] }, onlyMapped: true },
    scopes: ['notes'],
  },
  {
    slug: 'entra',
    shape: {
      add: () => ({
        aud: ENTRA_APPLICATION,
        azp: 'an-agent',
        azpacr: '1',
        oid: '11111111-2222-3333-4444-555555555555',
        roles: ['Notes.Read.All'],
        tid: '99999999-8888-7777-6666-555555555555',
        ver: '2.0',
      }),
      leaveOut: ['client_id', 'scope'],
    },
    rules: {
      expectedAudience: ENTRA_APPLICATION,
      scopeClaims: ['scp', 'roles'],
      scopeMap: { 'Notes.Read.All': ['notes:read'] },
    },
    scopes: ['notes:read'],
  },
  {
    slug: 'auth0',
    shape: {
      add: ({ resource, issuer }) => ({
        aud: [resource, `${issuer}/userinfo`],
        azp: 'an-agent',
        gty: 'client-credentials',
        permissions: ['notes:read', 'notes:write'],
      }),
      leaveOut: ['client_id'],
    },
    rules: { scopeClaims: ['permissions'] },
    scopes: ['notes:read', 'notes:write'],
  },
];

describe('a tenant whose tokens come from elsewhere', () => {
  let platform: RunningServer;
  let external: ExternalIssuer;

  beforeAll(async () => {
    platform = await runServer({
      modules: [NotesModule],
      tenants: PRODUCTS.map(({ slug }) => ({
        slug,
        title: slug,
        access: 'oauth',
        activations: [{ module: 'notes', configuration: {} }],
      })),
      environment: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    });
    const shapes = new Map(PRODUCTS.map(({ slug, shape }) => [platform.url(slug), shape]));
    external = await runExternalIssuer(shapes, 'mcp notes:read notes:write');
    const tenants = platform.server.app.get(TenantStore);
    for (const { slug, rules } of PRODUCTS) {
      const { id } = (await tenants.findBySlug(slug))!;
      await tenants.setAccess(id, { accessPolicy: { externalIssuer: { issuer: external.issuer, ...rules } } });
    }
  });
  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
    await external[Symbol.asyncDispose]();
  });

  /** As an agent does that was told the URL, and has its credentials of that issuer. */
  async function connect(slug: string): Promise<Client> {
    const { issuer, clientId, clientSecret } = external;
    const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: issuer });
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: { pin: REVISION } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(platform.url(slug)), { authProvider }));
    return client;
  }

  it.each(PRODUCTS)('takes tokens that are shaped as those of $slug', async ({ slug, scopes }) => {
    const client = await connect(slug);
    const { structuredContent } = await client.callTool({ name: 'who_am_i', arguments: {} });
    expect(structuredContent).toEqual({ subject: 'an-agent', client: 'an-agent', scopes });
    await client.close();
  });

  it('sends hosts to that issuer, byte for byte, and issues no tokens itself', async () => {
    const document = `${platform.server.url}/.well-known/oauth-protected-resource/t/auth0/mcp`;
    expect(await (await fetch(document)).json()).toMatchObject({ authorization_servers: [external.issuer] });
    const metadata = `${platform.server.url}/.well-known/oauth-authorization-server/t/auth0/mcp`;
    expect((await fetch(metadata)).status).toBe(404);
  });

  it("refuses another tenant's token of the same issuer", async () => {
    const token = await tokenFor(platform.url('auth0'));
    const call = (slug: string) =>
      fetch(platform.url(slug), { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect((await call('auth0')).status).not.toBe(401);
    expect((await call('keycloak')).status).toBe(401);
    expect((await call('entra')).status).toBe(401);
  });

  async function tokenFor(resource: string): Promise<string> {
    const { issuer, clientId, clientSecret } = external;
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope: 'mcp notes:read' }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    return token;
  }
});
