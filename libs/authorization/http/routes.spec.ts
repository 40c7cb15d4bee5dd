import { describe, expect, it } from '@jest/globals';
import { AUTHORIZATION_ROUTES, matchRoute } from './routes.js';

const UID = 'V1StGXR8_Z5jdHi6B-myT';

describe('the routes of the authorization server', () => {
  it.each(AUTHORIZATION_ROUTES.map((route) => [route.path, route] as const))(
    '%s is found by its path',
    (path, route) => {
      const matched = matchRoute(path.replace(':uid', UID).replace(':slug', 'acme'));
      expect(matched?.route).toBe(route);
      expect(matched?.uid).toBe(path.includes(':uid') ? UID : undefined);
      expect(matched?.slug).toBe(path.includes(':slug') ? 'acme' : undefined);
    },
  );

  it.each([
    '/.well-known/oauth-authorization-server/',
    '/.well-known/openid-configuration/t/acme/mcp/',
    '/t/acme/mcp/.well-known/openid-configuration/',
  ])('%s is found with the slash at its end', (path) => {
    expect(matchRoute(path)?.route.name).toBe('metadata');
  });

  it.each([
    '/',
    '',
    '/token/',
    '/Token',
    '/authorize/',
    '/authorize/a/b',
    `/authorize/${'a'.repeat(65)}`,
    '/authorize/%2e%2e',
    '/interaction',
    '/interaction/',
    '/interaction/a b',
    '/interaction/a/other',
    '/xwell-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/t//mcp',
    '/.well-known/oauth-authorization-server/t/a/b/mcp',
    '/.well-known/oauth-authorization-server/other',
    '/.well-known/oauth-protected-resource',
    `/.well-known/oauth-authorization-server/t/${'a'.repeat(101)}/mcp`,
    '/t/acme/mcp',
    '/me',
    '/userinfo',
    '/session/end',
  ])('%s is none', (path) => {
    expect(matchRoute(path)).toBeUndefined();
  });

  it('change nothing by GET but for what a person is asked', () => {
    const names = AUTHORIZATION_ROUTES.filter(
      ({ audience, methods }) => audience === 'programs' && (methods as readonly string[]).includes('GET'),
    );
    expect(names).toEqual([]);
  });
});
