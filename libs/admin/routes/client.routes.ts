import { z } from 'zod';
import { type MadeClient, makeTenantClient } from '#authorization/provider/make-tenant-client.js';
import { ClientFault } from '#authorization/provider/redirect-uris.js';
import type { ClientRecord } from '#authorization/stores/client.store.js';
import type { Change } from '#events/change.js';
import type { AdminParts } from '../admin-parts.js';
import { requireMatch } from '../changes/change-terms.js';
import type { Done } from '../changes/changes.js';
import { type AdminRoute, tenantRoute, type TenantRequest } from '../http/admin-route.js';
import { etagOf } from '../http/etag.js';
import { instant, text } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem } from '../http/problem.js';
import { LIMITS } from '../limits.js';
import type { AdminRows } from '../stores/admin.store.js';
import { momentKey } from '../stores/moment-key.js';

const scopeName = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'must be a scope: printable ASCII, no spaces');

const clientView = z
  .object({
    clientId: z.string(),
    name: z.string(),
    redirectUris: z.array(z.string()),
    public: z.boolean(),
    agent: z.boolean(),
    scopes: z.array(z.string()).nullable().describe('All it may ask for; null for whatever the tenant has.'),
    createdAt: instant,
  })
  .meta({ id: 'Client' });

const newClient = z
  .strictObject({
    name: text(200).min(1),
    redirectUris: z.array(text(2_048)).max(20).default([]).describe('Where people are sent back to.'),
    public: z.boolean().default(false).describe('Whether it has no secret: an application on the device of a person.'),
    agent: z.boolean().default(false).describe('Whether it gets tokens for itself, without people.'),
    scopes: z.array(scopeName).max(500).optional(),
  })
  .refine(({ redirectUris, agent }) => agent || redirectUris.length > 0, {
    path: ['redirectUris'],
    error: 'is empty: where people are sent back to; for an agent without people, say `agent: true`',
  })
  .refine((client) => !(client.public && client.agent), {
    path: ['public'],
    error: 'must be false: an agent needs a secret',
  });

const params = z.object({ slug: z.string() });
const one = z.object({ slug: z.string(), client: z.string().max(256) });

type NewClientRequest = TenantRequest<unknown, unknown, z.output<typeof newClient>>;
type OneClient = TenantRequest<z.output<typeof one>, unknown, unknown>;

/** OAuth clients that a tenant's admin registers. */
export function clientRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store } = parts;
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/clients',
      area: 'clients',
      summary: 'List the OAuth clients that were registered for the tenant',
      scope: 'clients:read',
      params,
      isPaged: true,
      outcome: { status: 200, schema: listing(clientView) },
      run: async ({ tenant, page, list }) => {
        const rows = await store.rows.credentials.clients(tenant.id, page);
        return list(rows, ({ createdAt: at, id }) => momentKey({ at, id }), show);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/tenants/:slug/clients',
      area: 'clients',
      summary: 'Register an OAuth client; its secret is shown this once',
      scope: 'clients:write',
      params,
      body: newClient,
      outcome: {
        status: 201,
        schema: clientView.extend({ clientSecret: z.string().optional() }).meta({ id: 'RegisteredClient' }),
      },
      run: (request) => register(parts, request),
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/clients/:client',
      area: 'clients',
      summary: 'See one OAuth client',
      scope: 'clients:read',
      params: one,
      outcome: { status: 200, schema: clientView },
      run: async ({ tenant, params: { client } }) => {
        const shown = show(await find(store.rows, tenant.id, client));
        return { status: 200, body: shown, etag: etagOf(shown) };
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/tenants/:slug/clients/:client',
      area: 'clients',
      summary: 'Remove an OAuth client; its tokens end',
      scope: 'clients:write',
      params: one,
      outcome: { status: 204 },
      run: (request) => remove(parts, request),
    }),
  ];
}

function register({ changes }: AdminParts, { tenant, terms, body }: NewClientRequest) {
  const { name, redirectUris, scopes, public: isPublic, agent: isAgent } = body;
  const { record, secret } = make({ tenantId: tenant.id, name, redirectUris, isPublic, isAgent, scopes });
  return changes.tenant(terms, tenant, async (rows, { id, slug }): Promise<Done> => {
    if ((await rows.credentials.countClients(id)) >= LIMITS.clientsOfTenant)
      throw new Problem('limit_reached', `The tenant has ${LIMITS.clientsOfTenant} clients already: remove one.`);
    await rows.clients.save(record);
    const shown = show(await find(rows, id, record.id));
    const secretShown = secret === undefined ? {} : { clientSecret: secret };
    const headers = { location: `/admin/v1/tenants/${slug}/clients/${record.id}` };
    const answer = { status: 201, body: { ...shown, ...secretShown }, etag: etagOf(shown), headers };
    return { answer, action: 'client.create', target: record.id, detail: { name } };
  });
}

function make(request: Parameters<typeof makeTenantClient>[0]): MadeClient {
  try {
    return makeTenantClient(request);
  } catch (error) {
    if (!(error instanceof ClientFault)) throw error;
    const pointer = error.redirect === undefined ? '' : `/redirectUris/${error.redirect}`;
    throw new Problem('invalid_body', 'The client cannot work.', { errors: [{ pointer, detail: error.message }] });
  }
}

function remove({ changes }: AdminParts, { tenant, terms, params: { client } }: OneClient) {
  return changes.tenant(terms, tenant, async (rows, { id }): Promise<Done> => {
    requireMatch(terms, etagOf(show(await find(rows, id, client))));
    const revoked = await rows.clients.remove(client);
    const announced = revoked.map((revocation): Change => ({ type: 'revocation', ...revocation }));
    return { answer: { status: 204 }, action: 'client.remove', target: client, changes: announced };
  });
}

/** @throws Problem `not_found` */
async function find(rows: AdminRows, tenantId: string, clientId: string): Promise<ClientRecord> {
  const record = await rows.clients.find(clientId);
  if (record?.tenantId === tenantId) return record;
  throw new Problem('not_found', 'The tenant has no such client.');
}

function show({ id, metadata, createdAt }: ClientRecord) {
  const { client_name: name, redirect_uris: redirectUris, scope } = metadata;
  const grants = metadata['grant_types'];
  return {
    clientId: id,
    name,
    redirectUris,
    public: metadata['token_endpoint_auth_method'] === 'none',
    agent: Array.isArray(grants) && grants.includes('client_credentials'),
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : null,
    createdAt,
  };
}
