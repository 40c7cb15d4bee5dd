import { STYLE_SHEET_PATH } from '../pages/style-sheet.js';
import { ENDPOINT_PATHS } from '../provider/endpoints.js';

/** Who is looking: programs of any origin, people in a browser, or anybody at something public. */
export type Audience = 'programs' | 'people' | 'public';

export interface AuthorizationRoute {
  readonly name: string;
  /** With `:uid` for an interaction's id and `:slug` for a tenant's. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  readonly audience: Audience;
}

const OAUTH_METADATA = '/.well-known/oauth-authorization-server';
const OPENID_METADATA = '/.well-known/openid-configuration';

/** Every route of the authorization server. */
export const AUTHORIZATION_ROUTES = [
  { name: 'metadata', path: OAUTH_METADATA, methods: ['GET'], audience: 'public' },
  { name: 'metadata', path: OPENID_METADATA, methods: ['GET'], audience: 'public' },
  { name: 'metadata', path: `${OAUTH_METADATA}/t/:slug/mcp`, methods: ['GET'], audience: 'public' },
  { name: 'metadata', path: `${OPENID_METADATA}/t/:slug/mcp`, methods: ['GET'], audience: 'public' },
  { name: 'metadata', path: `/t/:slug/mcp${OPENID_METADATA}`, methods: ['GET'], audience: 'public' },
  { name: 'metadata', path: `${OAUTH_METADATA}/mcp`, methods: ['GET'], audience: 'public' },
  { name: 'metadata', path: `${OPENID_METADATA}/mcp`, methods: ['GET'], audience: 'public' },
  { name: 'metadata', path: `/mcp${OPENID_METADATA}`, methods: ['GET'], audience: 'public' },
  { name: 'jwks', path: ENDPOINT_PATHS.jwks, methods: ['GET'], audience: 'public' },
  { name: 'token', path: ENDPOINT_PATHS.token, methods: ['POST'], audience: 'programs' },
  { name: 'register', path: ENDPOINT_PATHS.registration, methods: ['POST'], audience: 'programs' },
  { name: 'revoke', path: ENDPOINT_PATHS.revocation, methods: ['POST'], audience: 'programs' },
  { name: 'introspect', path: ENDPOINT_PATHS.introspection, methods: ['POST'], audience: 'programs' },
  { name: 'device_authorization', path: ENDPOINT_PATHS.device_authorization, methods: ['POST'], audience: 'programs' },
  { name: 'authorize', path: ENDPOINT_PATHS.authorization, methods: ['GET', 'POST'], audience: 'people' },
  { name: 'resume', path: `${ENDPOINT_PATHS.authorization}/:uid`, methods: ['GET'], audience: 'people' },
  { name: 'device', path: ENDPOINT_PATHS.code_verification, methods: ['GET', 'POST'], audience: 'people' },
  { name: 'resume', path: `${ENDPOINT_PATHS.code_verification}/:uid`, methods: ['GET'], audience: 'people' },
  { name: 'interaction', path: '/interaction/:uid', methods: ['GET'], audience: 'people' },
  { name: 'sign_in', path: '/interaction/:uid/sign-in', methods: ['POST'], audience: 'people' },
  { name: 'consent', path: '/interaction/:uid/consent', methods: ['POST'], audience: 'people' },
  { name: 'switch', path: '/interaction/:uid/switch', methods: ['POST'], audience: 'people' },
  { name: 'cancel', path: '/interaction/:uid/cancel', methods: ['POST'], audience: 'people' },
  { name: 'upstream', path: '/interaction/:uid/upstream', methods: ['GET'], audience: 'people' },
  { name: 'upstream_finish', path: '/interaction/:uid/upstream/finish', methods: ['GET'], audience: 'people' },
  { name: 'upstream_callback', path: '/sign-in/callback', methods: ['GET'], audience: 'people' },
  { name: 'style_sheet', path: STYLE_SHEET_PATH, methods: ['GET'], audience: 'public' },
] as const satisfies readonly AuthorizationRoute[];

export type RouteName = (typeof AUTHORIZATION_ROUTES)[number]['name'];

export interface MatchedRoute {
  readonly route: AuthorizationRoute & { readonly name: RouteName };
  readonly uid: string | undefined;
  readonly slug: string | undefined;
}

const PATTERNS = AUTHORIZATION_ROUTES.filter(({ path }) => path.includes(':')).map((route) => ({
  route,
  pattern: new RegExp(
    `^${route.path.replaceAll('.', '\\.').replace(':uid', '(?<uid>[A-Za-z0-9_-]{1,64})').replace(':slug', '(?<slug>[^/]{1,100})')}$`,
  ),
}));

const FIXED = new Map<string, (typeof AUTHORIZATION_ROUTES)[number]>(
  AUTHORIZATION_ROUTES.filter(({ path }) => !path.includes(':')).map((route) => [route.path, route]),
);

/** The route of a path, whatever the method. A slash at the end of a well-known path is let pass. */
export function matchRoute(path: string): MatchedRoute | undefined {
  const trimmed = path.includes('/.well-known/') && path.endsWith('/') ? path.slice(0, -1) : path;
  const fixed = FIXED.get(trimmed);
  if (fixed) return { route: fixed, uid: undefined, slug: undefined };
  for (const { route, pattern } of PATTERNS) {
    const groups = pattern.exec(trimmed)?.groups;
    if (groups) return { route, uid: groups['uid'], slug: groups['slug'] };
  }
  return undefined;
}
