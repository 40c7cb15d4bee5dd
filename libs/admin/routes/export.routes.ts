import { z } from 'zod';
import type { AdminParts } from '../admin-parts.js';
import { type AdminRoute, tenantRoute } from '../http/admin-route.js';
import type { PageTerms } from '../stores/page.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import { showTenant } from './tenant-view.js';

/** How many rows are read at a time. */
const BATCH = 500;
/** How many of one kind are exported at most: no tenant can have more, but of members. */
const MOST = 20_000;

const exportView = z
  .object({
    tenant: z.record(z.string(), z.unknown()),
    activations: z.array(z.unknown()),
    sources: z.array(z.unknown()),
    secrets: z.array(z.string()).describe('Their names alone.'),
    members: z.array(z.unknown()),
    clients: z.array(z.unknown()),
    tokens: z.array(z.unknown()).describe('Without the tokens themselves.'),
  })
  .meta({ id: 'Export' });

/** All of a tenant in one document. */
export function exportRoutes(parts: AdminParts): readonly AdminRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/export',
      area: 'tenants',
      summary: 'Export everything of a tenant but what is secret',
      description: 'Wants every admin scope.',
      scope: '*',
      params: z.object({ slug: z.string() }),
      outcome: { status: 200, schema: exportView },
      run: async ({ tenant }) => ({
        status: 200,
        body: await everythingOf(parts, tenant),
        headers: { 'content-disposition': `attachment; filename="${tenant.slug}.json"` },
      }),
    }),
  ];
}

async function everythingOf({ store: { rows }, urlOf }: AdminParts, tenant: AdminTenant): Promise<object> {
  const { id } = tenant;
  const { activations, sources } = await rows.tenants.record(id);
  const secrets = await all(
    (page) => rows.secrets.list(id, page),
    (row) => row.name,
  );
  const members = await all(
    (page) => rows.members.list(id, page),
    (row) => row.accountId,
  );
  const clients = await rows.clients.listOfTenant(id);
  const tokens = await rows.tokens.list(id);
  return {
    tenant: showTenant(tenant, urlOf),
    activations,
    sources: sources.map(({ name, kind, definition, version }) => ({ name, kind, definition, version })),
    secrets: secrets.map(({ name }) => name),
    members: members.map(({ email, name, role, status }) => ({ email, name, role, status })),
    clients: clients.map(({ id: clientId, metadata, createdAt }) => ({ clientId, metadata, createdAt })),
    tokens: tokens.map(({ id: tokenId, name, scopes, createdAt, expiresAt, revokedAt }) => {
      return { id: tokenId, name, scopes, createdAt, expiresAt, revokedAt };
    }),
  };
}

async function all<T>(read: (page: PageTerms) => Promise<readonly T[]>, keyOf: (row: T) => string) {
  const rows: T[] = [];
  for (let after: string | undefined; rows.length < MOST;) {
    const batch = await read({ limit: BATCH, after });
    rows.push(...batch);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) break;
    after = keyOf(last);
  }
  return rows;
}
