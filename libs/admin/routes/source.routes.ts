import { z } from 'zod';
import type { AdminParts } from '../admin-parts.js';
import { type AdminRoute, tenantRoute } from '../http/admin-route.js';
import { jsonObject, name } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem } from '../http/problem.js';
import { DEFINITION_LENGTH } from '../limits.js';
import { ANY_DEFINITION } from '../openapi/definition-schemas.js';
import { SourceChanges } from './source-changes.js';
import { showSource, SOURCE_KINDS, sourceView, tagOfSource } from './source-view.js';

const kind = z.enum(SOURCE_KINDS);
const definition = jsonObject(DEFINITION_LENGTH).meta({
  description: 'What it is; each kind has its own members.',
  ...ANY_DEFINITION,
});

const newSource = z.strictObject({ name, kind, definition });
const changedSource = z.strictObject({ kind: kind.optional().describe('Needed to make it.'), definition });

const params = z.object({ slug: z.string() });
const named = z.object({ slug: z.string(), name });

/** What a tenant's admin registers at run time. */
export function sourceRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store, health } = parts;
  const sources = new SourceChanges(parts);
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/sources',
      area: 'sources',
      summary: 'List sources, each with what it brings and whether it works',
      scope: 'sources:read',
      params,
      query: { kind: kind.optional() },
      isPaged: true,
      outcome: { status: 200, schema: listing(sourceView) },
      run: async ({ tenant, query, page, list }) => {
        const rows = await store.rows.sources.list(tenant.id, query.kind, page);
        const report = await health.reportOf(tenant);
        return list(
          rows,
          (row) => row.name,
          (row) => showSource(row, report),
        );
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/tenants/:slug/sources',
      area: 'sources',
      summary: 'Register a source',
      scope: 'sources:write',
      params,
      body: newSource,
      outcome: { status: 201, schema: sourceView },
      run: ({ tenant, terms, body }) => sources.create(tenant, terms, body),
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/sources/:name',
      area: 'sources',
      summary: 'See a source',
      scope: 'sources:read',
      params: named,
      outcome: { status: 200, schema: sourceView },
      run: async ({ tenant, params: { name: wanted } }) => {
        const row = await store.rows.sources.find(tenant.id, wanted);
        if (!row) throw new Problem('not_found', 'The tenant has no such source.');
        const report = await health.reportOf(tenant);
        return { status: 200, body: showSource(row, report), etag: tagOfSource(row, report) };
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: '/tenants/:slug/sources/:name',
      area: 'sources',
      summary: 'Replace the definition of a source, or make it',
      scope: 'sources:write',
      params: named,
      body: changedSource,
      makes: true,
      outcome: { status: 200, schema: sourceView },
      run: ({ tenant, terms, params: { name: wanted }, body }) => sources.put(tenant, terms, { ...body, name: wanted }),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/tenants/:slug/sources/:name',
      area: 'sources',
      summary: 'Delete a source',
      scope: 'sources:write',
      params: named,
      outcome: { status: 204 },
      run: ({ tenant, terms, params: { name: wanted } }) => sources.remove(tenant, terms, wanted),
    }),
  ];
}
