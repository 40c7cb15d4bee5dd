import { describe, expect, it } from '@jest/globals';
import type { Catalogue } from '#catalogue/catalogue.js';
import { readAccessPolicy } from '#tenancy/access-policy.js';
import { ProtectedResources } from '../provider/protected-resources.js';
import type { AuthorizationStores } from '../provider/stores.js';
import { adaptAuthorization, adaptTokenRequest, claimedClient } from './adapt-parameters.js';

const ISSUER = 'https://mcp.example.com';
const RESOURCE = `${ISSUER}/t/acme/mcp`;

const scopeNamed = (name: string) => ({ name, implies: [] });

/** The tenants acme and other, and the admin API; the client `agent` is registered by the admin of acme, for reading. */
function partsAt(issuer = ISSUER) {
  const policy = readAccessPolicy({ baseline: ['notes:read'] });
  const catalogueOf = (slug: string) => ({
    tenant: { id: `id-of-${slug}`, slug, title: slug, access: 'oauth', status: 'active', accessPolicy: policy },
    content: { scopes: ['notes:read', 'notes:write'] },
  });
  const slugs = ['acme', 'other'];
  const find = (slug: string) =>
    Promise.resolve(slugs.includes(slug) ? (catalogueOf(slug) as unknown as Catalogue) : undefined);
  const slugOf = (id: string) => Promise.resolve(slugs.find((slug) => id === `id-of-${slug}`));
  const admin = {
    path: '/admin/v1',
    title: 'Admin',
    scopes: ['admin', 'admin:read'].map(scopeNamed),
    baseline: ['admin:read'],
    clients: [],
  };
  const places = { routing: 'both', publicOrigin: () => ISSUER } as const;
  const resources = new ProtectedResources({ find }, { slugOf }, places, [admin]);
  const clients = {
    find: (id: string) =>
      Promise.resolve(id === 'agent' ? { tenantId: 'id-of-acme', metadata: { scope: 'notes:read' } } : undefined),
  };
  return { issuer, resources, stores: { clients } as unknown as AuthorizationStores };
}

async function authorization(query: string, issuer?: string): Promise<Record<string, string>> {
  const parameters = new URLSearchParams(query);
  await adaptAuthorization(parameters, partsAt(issuer));
  return Object.fromEntries(parameters);
}

async function token(query: string, authorization?: string): Promise<Record<string, string>> {
  const parameters = new URLSearchParams(query);
  await adaptTokenRequest(parameters, authorization, partsAt());
  return Object.fromEntries(parameters);
}

describe('an authorization request', () => {
  it.each([
    RESOURCE,
    `${RESOURCE}/`,
    'HTTPS://MCP.example.com/t/acme/mcp',
    'https://mcp.example.com:443/t/acme/mcp',
    'https://mcp.example.com/t/other/../acme/mcp',
  ])('has its resource %s in the canonical form', async (resource) => {
    expect((await authorization(`resource=${encodeURIComponent(resource)}`))['resource']).toBe(RESOURCE);
  });

  it.each(['', 'client_id=somebody', 'resource='])(
    'has none where there is nothing to tell it by: %s',
    async (query) => {
      expect(await authorization(query)).not.toHaveProperty('resource');
    },
  );

  it('has that of the client’s tenant, or of the only one at the issuer, where it names none', async () => {
    expect((await authorization('client_id=agent'))['resource']).toBe(RESOURCE);
    expect((await authorization('', 'https://other.mcp.example.com'))['resource']).toBe(
      'https://other.mcp.example.com/mcp',
    );
  });

  it.each(['https://elsewhere.example/mcp', 'https://acme.mcp.example.com/mcp', `${RESOURCE}?a=b`, 'acme'])(
    'keeps a resource that is nobody’s here for the provider to refuse: %s',
    async (resource) => {
      const query = new URLSearchParams({ resource, scope: 'whatever' }).toString();
      expect(await authorization(query)).toMatchObject({ resource, scope: 'whatever' });
    },
  );

  it('keeps two resources apart, and makes one of two spellings', async () => {
    const parameters = new URLSearchParams([
      ['resource', RESOURCE],
      ['resource', `${ISSUER}/t/other/mcp`],
    ]);
    await adaptAuthorization(parameters, partsAt());
    expect(parameters.getAll('resource')).toEqual([RESOURCE, `${ISSUER}/t/other/mcp`]);
    parameters.set('resource', RESOURCE);
    parameters.append('resource', `${RESOURCE}/`);
    await adaptAuthorization(parameters, partsAt());
    expect(parameters.getAll('resource')).toEqual([RESOURCE]);
  });

  it.each([
    ['', 'mcp notes:read'],
    ['unknown', 'mcp notes:read'],
    ['openid offline_access', 'openid offline_access mcp notes:read'],
    ['notes:write', 'mcp notes:write'],
    ['  notes:write   unknown ', 'mcp notes:write'],
    ['mcp', 'mcp'],
    ['profile email notes:read notes:read', 'profile email mcp notes:read'],
  ])('for "%s" asks for "%s"', async (scope, expected) => {
    expect((await authorization(new URLSearchParams({ resource: RESOURCE, scope }).toString()))['scope']).toBe(
      expected,
    );
  });

  it.each([
    ['prompt=login', 'login'],
    ['prompt=login+unknown+consent', 'login consent'],
    ['prompt=create', undefined],
    ['prompt=', undefined],
  ])('with %s has the prompt %s', async (query, prompt) => {
    expect((await authorization(query))['prompt']).toBe(prompt);
  });

  it('has a nonce with openid alone', async () => {
    expect(await authorization(`resource=${RESOURCE}&nonce=n`)).not.toHaveProperty('nonce');
    expect(await authorization(`resource=${RESOURCE}&nonce=n&scope=openid`)).toHaveProperty('nonce', 'n');
  });

  it('keeps everything else', async () => {
    expect(await authorization('state=a%20b&code_challenge=c&login_hint=ada')).toMatchObject({
      state: 'a b',
      code_challenge: 'c',
      login_hint: 'ada',
    });
  });
});

describe('a token request', () => {
  it('has its resource in the canonical form, and none where it names none', async () => {
    expect(await token(`grant_type=refresh_token&resource=${RESOURCE}/`)).toHaveProperty('resource', RESOURCE);
    expect(await token('grant_type=refresh_token&client_id=agent')).not.toHaveProperty('resource');
  });

  it('to refresh asks for no offline_access, which is no scope of a token, and else for what it asks', async () => {
    expect(await token('grant_type=refresh_token&scope=notes:read+offline_access')).toHaveProperty(
      'scope',
      'notes:read',
    );
    expect(await token('grant_type=refresh_token&scope=offline_access')).not.toHaveProperty('scope');
    expect(await token('grant_type=refresh_token&scope=admin')).toHaveProperty('scope', 'admin');
  });

  it.each<[string, string, string | undefined]>([
    ['by its id', 'client_id=agent', undefined],
    ['by Basic', '', `Basic ${Buffer.from('agent:secret').toString('base64')}`],
    ['by an assertion', `client_assertion=e30.${Buffer.from('{"sub":"agent"}').toString('base64url')}.x`, undefined],
  ])('of a client for itself, known %s, is for its tenant and what it may', async (_how, query, field) => {
    const asked = await token(`grant_type=client_credentials&${query}`, field);
    expect(asked).toMatchObject({ resource: RESOURCE, scope: 'notes:read' });
  });
});

describe('the client that a request names', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['client_id=a', `Basic ${Buffer.from('b:c').toString('base64')}`, 'a'],
    ['', `basic ${Buffer.from('a%3Ab+c:secret').toString('base64')}`, 'a:b c'],
    ['', `Basic ${Buffer.from('%zz:secret').toString('base64')}`, undefined],
    ['', 'Bearer abc', undefined],
    ['client_assertion=garbage', undefined, undefined],
    ['client_assertion=a.b.c', undefined, undefined],
    ['', undefined, undefined],
  ])('in "%s" with %s is %s', (query, authorization, expected) => {
    expect(claimedClient(new URLSearchParams(query), authorization)).toBe(expected);
  });
});
