import { describe, expect, it } from '@jest/globals';
import { ADMIN_RESOURCE, permittedBy } from './admin-resource.js';
import { ADMIN_SCOPES, permits } from './admin-scopes.js';

const permitted = (...scopes: readonly string[]) => permittedBy(new Set(scopes));

describe('the scopes of the admin API', () => {
  it('all say in words what they are for', () => {
    for (const { name, description = '' } of ADMIN_RESOURCE.scopes) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^\S.{20,}/)]);
    }
  });

  it('are everything as `admin`, and everything but changes as `admin:read`', () => {
    const readable = ADMIN_SCOPES.filter((scope) => permits(permitted('admin:read'), scope));
    expect(readable).toEqual(ADMIN_SCOPES.filter((scope) => scope.endsWith(':read')));
    expect(ADMIN_SCOPES.every((scope) => permits(permitted('admin'), scope))).toBe(true);
  });

  it('are one area each otherwise', () => {
    expect(permitted('sources:write', 'keys:read')).toEqual(['sources:write', 'keys:read']);
  });

  it.each(['', '*', 'mcp', 'openid', 'constructor', '__proto__', 'Admin', 'admin:write', 'sources'])(
    'permit nothing as %j, which is none of them',
    (scope) => {
      expect(permitted(scope)).toEqual([]);
    },
  );
});
