import { z } from 'zod';
import type { StaticTokenRecord } from '#access/static-token.store.js';
import { StaticTokens, revocationOfToken } from '#access/static-tokens.js';
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

const DAY_MS = 86_400_000;

const scopeName = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'must be a scope: printable ASCII, no spaces');

const tokenView = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    createdAt: instant,
    expiresAt: instant.nullable(),
  })
  .meta({ id: 'StaticToken' });

const newToken = z.strictObject({
  name: text(100).min(1),
  scopes: z.array(scopeName).max(500).default([]),
  days: z.int().min(1).max(9_999).optional().describe('How long it is good; without end when it is left out.'),
});

const params = z.object({ slug: z.string() });
const one = z.object({ slug: z.string(), id: z.string().max(64) });

type NewTokenRequest = TenantRequest<unknown, unknown, z.output<typeof newToken>>;
type OneToken = TenantRequest<z.output<typeof one>, unknown, unknown>;

/** Static tokens for machines, of tenants whose access is `tokens`. */
export function tokenRoutes(parts: AdminParts): readonly AdminRoute[] {
  const { store } = parts;
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/tokens',
      area: 'tokens',
      summary: 'List the static tokens that are good, never the tokens themselves',
      scope: 'tokens:read',
      params,
      isPaged: true,
      outcome: { status: 200, schema: listing(tokenView) },
      run: async ({ tenant, page, list }) => {
        const rows = await store.rows.credentials.tokens(tenant.id, page);
        return list(rows, ({ createdAt: at, id }) => momentKey({ at, id }), show);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/tenants/:slug/tokens',
      area: 'tokens',
      summary: 'Issue a static token; it is shown this once',
      description: 'The tenant takes it where its access is `tokens`.',
      scope: 'tokens:write',
      params,
      body: newToken,
      outcome: { status: 201, schema: tokenView.extend({ token: z.string() }).meta({ id: 'IssuedStaticToken' }) },
      run: (request) => issue(parts, request),
    }),
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/tokens/:id',
      area: 'tokens',
      summary: 'See one static token, never the token itself',
      scope: 'tokens:read',
      params: one,
      outcome: { status: 200, schema: tokenView },
      run: async ({ tenant, params: { id } }) => {
        const shown = show(await find(store.rows, tenant.id, id));
        return { status: 200, body: shown, etag: etagOf(shown) };
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/tenants/:slug/tokens/:id',
      area: 'tokens',
      summary: 'Revoke a static token',
      scope: 'tokens:write',
      params: one,
      outcome: { status: 204 },
      run: (request) => revoke(parts, request),
    }),
  ];
}

function issue({ changes }: AdminParts, { tenant, terms, body: { name, scopes, days } }: NewTokenRequest) {
  return changes.tenant(terms, tenant, async (rows, { id, slug }): Promise<Done> => {
    if ((await rows.credentials.countTokens(id)) >= LIMITS.tokensOfTenant)
      throw new Problem('limit_reached', `The tenant has ${LIMITS.tokensOfTenant} tokens already: revoke one.`);
    const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY_MS);
    const { token, record } = await tokensOf(rows).issue({ tenantId: id, name, scopes, expiresAt });
    const shown = show(record);
    const headers = { location: `/admin/v1/tenants/${slug}/tokens/${record.id}` };
    const answer = { status: 201, body: { ...shown, token }, etag: etagOf(shown), headers };
    return { answer, action: 'token.issue', target: record.id, detail: { name, scopes } };
  });
}

function revoke({ changes }: AdminParts, { tenant, terms, params: { id } }: OneToken) {
  return changes.tenant(terms, tenant, async (rows, { id: tenantId }): Promise<Done> => {
    const record = await find(rows, tenantId, id);
    requireMatch(terms, etagOf(show(record)));
    await tokensOf(rows).revoke(tenantId, id);
    const announced = [{ type: 'revocation' as const, tenantId, subject: revocationOfToken(id) }];
    return { answer: { status: 204 }, action: 'token.revoke', target: id, changes: announced };
  });
}

/** What is revoked is announced by the outbox. */
function tokensOf({ tokens }: AdminRows): StaticTokens {
  return new StaticTokens(tokens, () => Promise.resolve());
}

/** @throws Problem `not_found` */
async function find(rows: AdminRows, tenantId: string, id: string): Promise<StaticTokenRecord> {
  const record = await rows.credentials.token(tenantId, id);
  if (record) return record;
  throw new Problem('not_found', 'The tenant has no such token.');
}

function show({ id, name, scopes, createdAt, expiresAt }: StaticTokenRecord) {
  return { id, name, scopes, createdAt, expiresAt };
}
