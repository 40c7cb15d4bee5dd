import { z } from 'zod';
import type { AdminParts } from '../admin-parts.js';
import { type AdminRoute, tenantRoute } from '../http/admin-route.js';
import { instant } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { momentKey } from '../stores/moment-key.js';

const listenerView = z
  .object({
    id: z.string(),
    subject: z.string().describe('Whose stream it is.'),
    clientId: z.string().nullable(),
    filter: z.record(z.string(), z.unknown()).describe('What it listens for.'),
    since: instant,
    node: z.string().describe('The process that holds it.'),
  })
  .meta({ id: 'Listener' });

const historyView = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.string(),
    action: z.string().describe('Such as `source.create`.'),
    target: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
    revision: z.int().describe("The tenant's revision after it."),
  })
  .meta({ id: 'HistoryEntry' });

const params = z.object({ slug: z.string() });

/** What goes on in a tenant, and what was changed. */
export function activityRoutes({ store }: AdminParts): readonly AdminRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/listeners',
      area: 'activity',
      summary: 'List the listen streams that are open now, on whatever node',
      scope: 'activity:read',
      params,
      isPaged: true,
      outcome: { status: 200, schema: listing(listenerView) },
      run: async ({ tenant, page, list }) => {
        const rows = await store.rows.listeners.list(tenant.id, page);
        return list(
          rows,
          ({ since: at, id }) => momentKey({ at, id }),
          (row) => row,
        );
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/history',
      area: 'activity',
      summary: 'List who changed what, the newest first',
      description: 'What is older than a year is forgotten.',
      scope: 'activity:read',
      params,
      isPaged: true,
      outcome: { status: 200, schema: listing(historyView) },
      run: async ({ tenant, page, list }) => {
        const rows = await store.rows.history.list(tenant.id, page);
        return list(
          rows,
          (row) => row.id,
          (row) => row,
        );
      },
    }),
  ];
}
