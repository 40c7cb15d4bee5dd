import { z } from 'zod';
import type { AdminParts } from '../admin-parts.js';
import type { CatalogueDone } from '../changes/catalogue-changes.js';
import { requireMatch } from '../changes/change-terms.js';
import { type AdminRoute, tenantRoute, type TenantRequest } from '../http/admin-route.js';
import { etagOf } from '../http/etag.js';
import { instant, name, text } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem } from '../http/problem.js';
import { flag } from '../http/query-schema.js';
import { LIMITS, SECRET_LENGTH } from '../limits.js';
import type { SecretRow } from '../stores/secret.rows.js';
import type { SourceRecord } from '#tenancy/tenant.store.js';

const secretView = z
  .object({
    name: z.string(),
    version: z.int().describe('Grows with every new value.'),
    createdAt: instant,
    updatedAt: instant,
    usedBy: z.array(z.string()).describe('The names of sources that name it.'),
  })
  .meta({ id: 'Secret' });

const newValue = z.strictObject({
  value: text(SECRET_LENGTH).min(1).describe('It is sealed, and never comes back.'),
});

const params = z.object({ slug: z.string() });
const named = z.object({ slug: z.string(), name });

type Named = z.output<typeof named>;

/** Credentials that sources name. */
export function secretRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store } = parts;
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/secrets',
      area: 'secrets',
      summary: 'List the names of secrets, and which sources use them',
      scope: 'secrets:read',
      params,
      isPaged: true,
      outcome: { status: 200, schema: listing(secretView) },
      run: async ({ tenant, page, list }) => {
        const rows = await store.rows.secrets.list(tenant.id, page);
        const { sources } = await store.rows.tenants.record(tenant.id);
        return list(
          rows,
          (row) => row.name,
          (row) => ({ ...row, usedBy: usersOf(parts, sources, row.name) }),
        );
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/secrets/:name',
      area: 'secrets',
      summary: 'See which sources use a secret, never its value',
      scope: 'secrets:read',
      params: named,
      outcome: { status: 200, schema: secretView },
      run: async ({ tenant, params: { name: wanted } }) => {
        const row = await store.rows.secrets.find(tenant.id, wanted);
        if (!row) throw missing();
        const usedBy = usersOf(parts, (await store.rows.tenants.record(tenant.id)).sources, wanted);
        return { status: 200, body: { ...row, usedBy }, etag: etagOf(row, usedBy) };
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: '/tenants/:slug/secrets/:name',
      area: 'secrets',
      summary: 'Make a secret, or give it another value',
      scope: 'secrets:write',
      params: named,
      body: newValue,
      makes: true,
      outcome: { status: 200, schema: secretView },
      run: (request) => put(parts, request),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/tenants/:slug/secrets/:name',
      area: 'secrets',
      summary: 'Delete a secret',
      scope: 'secrets:write',
      params: named,
      query: { force: flag.optional() },
      description: 'Refused with 409 while a source names it, unless `force=true`: then its tools fail when called.',
      outcome: { status: 204 },
      run: (request) => remove(parts, request),
    }),
  ];
}

function put(
  parts: AdminParts,
  { tenant, terms, params: { name: wanted }, body }: TenantRequest<Named, unknown, z.output<typeof newValue>>,
) {
  return parts.catalogues.make(terms, tenant, async (rows, { id }): Promise<CatalogueDone> => {
    const old = await rows.secrets.find(id, wanted);
    requireMatch(terms, old && etagOf(old));
    if (!old && (await rows.secrets.count(id)) >= LIMITS.secretsOfTenant)
      throw new Problem('limit_reached', `The tenant has ${LIMITS.secretsOfTenant} secrets already: delete one.`);
    const row = await rows.secrets.put(id, wanted, parts.vault.seal(id, wanted, body.value));
    return {
      answer: ({ tenant: { sources } }) => {
        const usedBy = usersOf(parts, sources, wanted);
        return { status: old ? 200 : 201, body: { ...row, usedBy }, etag: etagOf(row, usedBy) };
      },
      action: old ? 'secret.update' : 'secret.create',
      target: wanted,
    };
  });
}

function remove(
  parts: AdminParts,
  { tenant, terms, params: { name: wanted }, query }: TenantRequest<Named, { force?: boolean | undefined }, unknown>,
) {
  return parts.catalogues.make(terms, tenant, async (rows, { id }): Promise<CatalogueDone> => {
    const old: SecretRow | undefined = await rows.secrets.find(id, wanted);
    if (!old) throw missing();
    requireMatch(terms, etagOf(old));
    const users = usersOf(parts, (await rows.tenants.record(id)).sources, wanted);
    if (users.length > 0 && query.force !== true) throw inUse(users);
    await rows.secrets.remove(id, wanted);
    return { answer: () => ({ status: 204 }), action: 'secret.delete', target: wanted };
  });
}

function usersOf({ inspector }: AdminParts, sources: readonly SourceRecord[], secret: string): readonly string[] {
  return sources
    .filter((source) => inspector.secretsOf(source).some((used) => used.name === secret))
    .map((source) => source.name);
}

function missing(): Problem {
  return new Problem('not_found', 'The tenant has no such secret.');
}

function inUse(users: readonly string[]): Problem {
  const names = users.slice(0, 10).join(', ');
  return new Problem('conflict', `It is used by: ${names}. Change those first, or send force=true.`);
}
