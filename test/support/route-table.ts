import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUTHORIZATION_ROUTES } from '#authorization/http/routes.js';
import type { CausewayServer } from '#server/create-server.js';

/** A route as the product declares it, with `:uid` and `:slug`. */
export interface Route {
  readonly path: string;
  readonly methods: readonly string[];
}

/** What the endpoints take that match by themselves (libs/bindings/http). */
export const MCP_ROUTES: readonly Route[] = [
  { path: '/t/:slug/mcp', methods: ['POST'] },
  { path: '/mcp', methods: ['POST'] },
];
const DOCUMENT_ROUTES: readonly Route[] = [
  { path: '/.well-known/oauth-protected-resource/t/:slug/mcp', methods: ['GET'] },
  { path: '/.well-known/oauth-protected-resource/mcp', methods: ['GET'] },
  { path: '/.well-known/oauth-protected-resource', methods: ['GET'] },
];

/** Every route of the platform that wants no token, but for those of the admin API. */
export function publicRoutes(server: CausewayServer): readonly Route[] {
  const others = routesOfFastify(server).filter(({ path }) => !path.startsWith('/admin/v1'));
  return [...DOCUMENT_ROUTES, ...AUTHORIZATION_ROUTES, ...others];
}

/** Every path of the admin API. */
export function adminPaths(server: CausewayServer): readonly string[] {
  return routesOfFastify(server).flatMap(({ path }) => (path.startsWith('/admin/v1') ? [path] : []));
}

/** The functions that take requests before Fastify does, in order; a new one brings routes that are not in this table. */
export function handlersBeforeFastify(): readonly string[] {
  const source = readFileSync(join(import.meta.dirname, '../../apps/server/http-server.ts'), 'utf8');
  return [...source.matchAll(/\bif \(.*?\b(\w+)\(.*, request, response\)\) return;/g)].map(([, name = '']) => name);
}

/** Fastify tells its routes as a tree of segments, each with its methods. */
function routesOfFastify({ app }: CausewayServer): readonly Route[] {
  const tree = app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods] = /^([\s│├└─]*)(\S+)(?: \((.*)\))?/.exec(line) ?? [];
    if (segment === '') return [];
    const depth = Math.floor(indent.length / 4);
    above.splice(depth - 1, above.length, segment);
    const path = above.join('');
    return methods === undefined ? [] : [{ path, methods: methods.split(', ').filter((method) => method !== 'HEAD') }];
  });
}
