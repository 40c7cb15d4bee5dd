import { ADMIN_PREFIX } from '../http/admin-route.js';
import type { PlatformResource } from '#tenancy/platform-resource.js';
import { ADMIN_AREAS, ADMIN_SCOPES, type AdminArea, type AdminScope } from './admin-scopes.js';

/** Scopes that stand for several: what a person is asked for who signs a command line or a console in. */
const WHOLE: Readonly<Record<string, { readonly description: string; readonly permits: readonly AdminScope[] }>> = {
  admin: {
    description: 'Administer Causeway: do everything there that you may do yourself',
    permits: ['*'],
  },
  'admin:read': {
    description: 'See what you administer in Causeway, and change nothing',
    permits: ADMIN_SCOPES.filter((scope) => scope.endsWith(':read')),
  },
};

/** Those of one area, named as keys name them. */
const PARTS = ADMIN_SCOPES.filter((scope) => scope !== '*');

/** The client of the page that shows the admin API (`http/serve-docs-page.ts`). */
export const DOCS_CLIENT = {
  id: 'causeway-docs',
  name: 'Admin API documentation',
  redirectPaths: ['/admin/v1/docs/oauth2-redirect.html'],
};

/** The admin API as an OAuth resource (RFC 8707): `{public origin}/admin/v1`. */
export const ADMIN_RESOURCE: PlatformResource = {
  path: ADMIN_PREFIX,
  title: 'the administration of Causeway',
  scopes: [
    ...Object.entries(WHOLE).map(([name, { description }]) => ({ name, description, implies: [] })),
    ...PARTS.map((name) => ({ name, description: describe(name), implies: [] })),
  ],
  baseline: ['admin:read'],
  clients: [DOCS_CLIENT],
};

/** What the scopes of an access token permit. A scope that is none of ours permits nothing. */
export function permittedBy(scopes: ReadonlySet<string>): readonly AdminScope[] {
  const named = [...scopes];
  const whole = named.flatMap((name) => (Object.hasOwn(WHOLE, name) ? (WHOLE[name]?.permits ?? []) : []));
  return [...new Set([...whole, ...PARTS.filter((scope) => scopes.has(scope))])];
}

function describe(scope: AdminScope): string {
  const [area, verb] = scope.split(':');
  return `${verb === 'read' ? 'See' : 'See and change'}: ${ADMIN_AREAS[area as AdminArea]}`;
}
