import { hash } from 'node:crypto';
import { z } from 'zod';
import { EVERYTHING } from '#catalogue/catalogue-difference.js';
import { LIST_KINDS } from '#catalogue/entries.js';
import type { AdminParts } from '../admin-parts.js';
import { type AdminRoute, tenantRoute } from '../http/admin-route.js';
import { etagOf } from '../http/etag.js';
import { Problem } from '../http/problem.js';

const primitive = z.object({
  key: z.string().describe('Name, URI or URI template.'),
  source: z.string().describe('The module or source that brings it.'),
  scopes: z.array(z.string()),
  definition: z.record(z.string(), z.unknown()).describe('As hosts see it.'),
});

const catalogueView = z
  .object({
    revision: z.int(),
    hash: z.string().describe('Equal for catalogues that look the same to hosts.'),
    tools: z.array(primitive),
    resources: z.array(primitive),
    templates: z.array(primitive),
    prompts: z.array(primitive),
  })
  .meta({ id: 'Catalogue' });

/** What comes of modules and sources. */
export function catalogueRoutes({ health }: AdminParts): readonly AdminRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/tenants/:slug/catalogue',
      area: 'sources',
      summary: 'See all primitives as hosts with every scope see them',
      scope: 'sources:read',
      params: z.object({ slug: z.string() }),
      outcome: { status: 200, schema: catalogueView },
      run: async ({ tenant }) => {
        const report = await health.reportOf(tenant);
        if (!report?.catalogue)
          throw new Problem('conflict', 'Two of its modules bring the same primitive: switch one off.');
        const { lists } = report.catalogue.view(EVERYTHING);
        const digests = LIST_KINDS.map((kind) => lists[kind].digest);
        const shown = LIST_KINDS.map((kind) => [kind, lists[kind].entries.map(show)] as const);
        const digest = hash('sha256', digests.join(), 'base64url');
        const body = { revision: report.tenant.revision, hash: digest, ...Object.fromEntries(shown) };
        return { status: 200, body, etag: etagOf(body) };
      },
    }),
  ];
}

interface Shown {
  readonly key: string;
  readonly source: string;
  readonly scopes: readonly string[];
  readonly definition: object;
}

function show({ key, source, scopes, definition }: Shown): Shown {
  return { key, source, scopes, definition };
}
