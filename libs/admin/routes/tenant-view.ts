import { z } from 'zod';
import { ACCESS_POLICY } from '#tenancy/access-policy.js';
import type { Answer } from '../http/answer.js';
import { etagOf } from '../http/etag.js';
import { instant } from '../http/fields.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';

/** How a tenant looks to its admins. */
export const tenantView = z
  .object({
    slug: z.string(),
    title: z.string(),
    url: z.string().describe('The URL of its MCP endpoint, for hosts.'),
    status: z.enum(['active', 'suspended']),
    held: z.boolean().describe('Whether an operator suspended it: then only operators have it served again.'),
    access: z.enum(['oauth', 'open', 'tokens']),
    accessPolicy: ACCESS_POLICY,
    instructions: z.string().nullable(),
    revision: z.int(),
    deletesAt: instant.nullable().describe('When it goes for good; until then it can be restored.'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Tenant' });

type UrlOf = (slug: string) => string;

export function showTenant(tenant: AdminTenant, urlOf: UrlOf) {
  const { id: _id, slug, title, ...rest } = tenant;
  return { slug, title, url: urlOf(slug), ...rest };
}

/** What its settings are now; its revision grows with other changes too. */
export function tagOfTenant({ slug, title, status, access, accessPolicy, instructions, ...rest }: AdminTenant): string {
  const { deletesAt, held, revision, updatedAt } = rest;
  return etagOf({ slug, title, status, held, access, accessPolicy, instructions, deletesAt }, { revision, updatedAt });
}

export function answerTenant(tenant: AdminTenant, urlOf: UrlOf, status = 200): Answer {
  return { status, body: showTenant(tenant, urlOf), etag: tagOfTenant(tenant) };
}
