import { z } from 'zod';
import type { AdminCaller } from '../access/admin-caller.js';
import { scopesIn } from '../access/admin-caller.js';
import { issueAdminKey } from '../access/admin-keys.js';
import { ADMIN_SCOPES, type AdminScope, permits } from '../access/admin-scopes.js';
import { requireHeld } from '../access/require-held.js';
import type { AdminParts } from '../admin-parts.js';
import { requireMatch } from '../changes/change-terms.js';
import type { Done } from '../changes/changes.js';
import { type AdminRoute, callerRoute, type CalledRequest } from '../http/admin-route.js';
import { etagOf } from '../http/etag.js';
import { instant, slug, text } from '../http/fields.js';
import { listing } from '../http/listing.js';
import { Problem } from '../http/problem.js';
import { LIMITS } from '../limits.js';
import type { AdminKeyRow } from '../stores/admin-key.rows.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { AdminRows } from '../stores/admin.store.js';

const MAX_DAYS = 3_650;
const DAY_MS = 86_400_000;

const scopes = z
  .array(z.enum(ADMIN_SCOPES as readonly [AdminScope, ...AdminScope[]]))
  .min(1)
  .max(ADMIN_SCOPES.length);

const keyView = z
  .object({
    id: z.string(),
    name: z.string(),
    tenant: z.string().nullable().describe("The slug of its tenant; null for an operator's or a person's."),
    scopes,
    createdBy: z.string(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    usedAt: instant.nullable(),
  })
  .meta({ id: 'AdminKey' });

const newKey = z.strictObject({
  name: text(100).min(1),
  tenant: slug.optional().describe("Without a tenant it is an operator's key, which only operators can issue."),
  scopes: scopes.default(['*']).describe('None that the caller lacks.'),
  days: z.int().min(1).max(MAX_DAYS).optional().describe('How long it is good; without end when it is left out.'),
});

const params = z.object({ id: z.string().max(64) });

type NewKeyRequest = CalledRequest<unknown, unknown, z.output<typeof newKey>>;

/** Keys to this API. */
export function keyRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store, changes } = parts;
  return [
    callerRoute({
      method: 'GET',
      path: '/keys',
      area: 'keys',
      summary: 'List the keys that are good, never the keys themselves',
      permission: { to: 'callers', scope: 'keys:read' },
      isPaged: true,
      outcome: { status: 200, schema: listing(keyView) },
      run: async ({ caller, page, list }) => {
        const rows = await store.rows.keys.list(tenantsWith(caller, 'keys:read'), page);
        return list(rows, ({ id }) => id, show);
      },
    }),
    callerRoute({
      method: 'POST',
      path: '/keys',
      area: 'keys',
      summary: 'Issue a key; it is shown this once',
      permission: { to: 'callers', scope: 'keys:write' },
      body: newKey,
      outcome: { status: 201, schema: keyView.extend({ key: z.string() }).meta({ id: 'IssuedAdminKey' }) },
      run: (request) => issue(parts, request),
    }),
    callerRoute({
      method: 'GET',
      path: '/keys/:id',
      area: 'keys',
      summary: 'See one key, never the key itself',
      permission: { to: 'callers', scope: 'keys:read' },
      params,
      outcome: { status: 200, schema: keyView },
      run: async ({ caller, params: { id } }) => {
        const row = await visibleKey(store.rows, caller, id, 'keys:read');
        return { status: 200, body: show(row), etag: tagOf(row) };
      },
    }),
    callerRoute({
      method: 'DELETE',
      path: '/keys/:id',
      area: 'keys',
      summary: 'Revoke a key',
      permission: { to: 'callers', scope: 'keys:write' },
      params,
      outcome: { status: 204 },
      run: async ({ caller, params: { id }, terms }) => {
        const { tenantId } = await visibleKey(store.rows, caller, id, 'keys:write');
        const revoke = async (rows: AdminRows): Promise<Done> => {
          const row = await visibleKey(rows, caller, id, 'keys:write');
          requireMatch(terms, tagOf(row));
          await rows.keys.revoke(id);
          return { answer: { status: 204 }, action: 'key.revoke', target: row.name };
        };
        return tenantId === null ? changes.platform(terms, revoke) : changes.tenant(terms, { id: tenantId }, revoke);
      },
    }),
  ];
}

async function issue({ store, changes }: AdminParts, { caller, body, terms }: NewKeyRequest) {
  const tenant = body.tenant === undefined ? undefined : await tenantFor(caller, body.tenant, store.rows);
  const held = tenant ? scopesIn(caller, tenant.id) : caller.everywhere;
  if (!held) throw new Problem('operators_only', "An operator's key can be issued by operators only: name a tenant.");
  requireHeld(['keys:write', ...body.scopes], held);
  const make = async (rows: AdminRows): Promise<Done> => {
    const most = tenant ? LIMITS.keysOfTenant : LIMITS.operatorKeys;
    if ((await rows.keys.count(tenant?.id ?? null)) >= most)
      throw new Problem('limit_reached', `There are ${most} keys already: revoke one.`);
    const { key, row } = await issueAdminKey(rows.keys, {
      tenantId: tenant?.id ?? null,
      accountId: null,
      name: body.name,
      scopes: body.scopes,
      createdBy: terms.actor,
      expiresAt: body.days === undefined ? null : new Date(Date.now() + body.days * DAY_MS),
    });
    const headers = { location: `/admin/v1/keys/${row.id}` };
    const answer = { status: 201, body: { ...show(row), key }, etag: tagOf(row), headers };
    return { answer, action: 'key.issue', target: row.name, detail: { scopes: [...row.scopes] } };
  };
  return tenant ? changes.tenant(terms, tenant, make) : changes.platform(terms, make);
}

async function tenantFor(caller: AdminCaller, wanted: string, { tenants }: AdminRows): Promise<AdminTenant> {
  const tenant = await tenants.find(wanted);
  if (tenant && scopesIn(caller, tenant.id)) return tenant;
  throw new Problem('invalid_body', 'There is no such tenant.', {
    errors: [{ pointer: '/tenant', detail: 'there is no such tenant' }],
  });
}

/** The tenants where the caller may; undefined stands for everything there is. */
function tenantsWith({ everywhere, tenants }: AdminCaller, scope: AdminScope): readonly string[] | undefined {
  if (everywhere) return undefined;
  return [...tenants].filter(([, held]) => permits(held, scope)).map(([id]) => id);
}

/** @throws Problem `not_found` */
async function visibleKey(rows: AdminRows, caller: AdminCaller, id: string, scope: AdminScope): Promise<AdminKeyRow> {
  const row = await rows.keys.find(id);
  const visible = tenantsWith(caller, scope);
  if (row && !row.revokedAt && (!visible || visible.includes(row.tenantId ?? '') || isOwn(row, caller))) return row;
  throw new Problem('not_found', 'There is no such key.');
}

/** Whether it came of the caller's own sign-in. */
function isOwn({ accountId }: AdminKeyRow, { actor }: AdminCaller): boolean {
  return accountId !== null && actor === `account:${accountId}`;
}

function show({ id, name, tenant, scopes: held, createdBy, createdAt, expiresAt, usedAt }: AdminKeyRow) {
  return { id, name, tenant, scopes: held, createdBy, createdAt, expiresAt, usedAt };
}

function tagOf(row: AdminKeyRow): string {
  const { usedAt, ...kept } = show(row);
  return etagOf(kept, { usedAt });
}
