import { describe, expect, it } from '@jest/globals';
import { readAccessPolicy } from '#tenancy/access-policy.js';
import { ANONYMOUS_GRANT, grantOf } from './caller.js';
import { baselineScopes, everyScope, withImplied } from './scope-rules.js';

function permitted(held: readonly string[], implications: Readonly<Record<string, readonly string[]>>, needed: string) {
  const declared = Object.entries(implications).map(([name, implies]) => ({ name, implies }));
  return grantOf(withImplied(new Set(held), declared)).permits([needed]);
}

describe('scopes', () => {
  it.each([
    ['files', 'files', true],
    ['files', 'files:read', true],
    ['files', 'files:read:own', true],
    ['files:read', 'files:read:own', true],
    ['files:read', 'files', false],
    ['files:read', 'files:write', false],
    ['file', 'files', false],
    ['files', 'filesystem:read', false],
    ['', ':read', false],
    ['mcp', 'mcp', true],
    ['mcp', 'mcp:admin', false],
    ['mcp:admin', 'mcp:admin:users', true],
  ])('%s covers %s: %s', (held, needed, expected) => {
    expect(permitted([held], {}, needed)).toBe(expected);
  });

  it('bring what they imply, what that implies, and what all of it covers', () => {
    const implications = { 'files:write': ['files:read', 'audit'], audit: ['reports:read'], 'audit:all': ['secret'] };
    expect(permitted(['files:write'], implications, 'files:read')).toBe(true);
    expect(permitted(['files'], implications, 'audit:read')).toBe(true);
    expect(permitted(['files'], implications, 'reports:read')).toBe(true);
    expect(permitted(['files'], implications, 'secret')).toBe(true);
    expect(permitted(['files:read'], implications, 'audit:read')).toBe(false);
  });

  it('may imply one another in a circle, and are bounded', () => {
    expect(permitted(['a'], { a: ['b'], b: ['c'], c: ['a', 'd'] }, 'd')).toBe(true);
    const many = Array.from({ length: 500 }, (_, name) => ({
      name: `s${name}`,
      implies: Array.from({ length: 500 }, (__, other) => `t${name}-${other}`).concat(`s${name + 1}`),
    }));
    expect(withImplied(new Set(['s0']), many).size).toBeLessThan(3_000);
  });

  it('have one key for all sets that permit the same', () => {
    const key = (...scopes: string[]) => grantOf(new Set(scopes)).key;
    expect(key('b', 'a')).toBe(key('a', 'b'));
    expect(key('files', 'files:read', 'files:read:own')).toBe(key('files'));
    expect(key('files:read', 'files:read:own')).toBe(key('files:read'));
    expect(key('files')).not.toBe(key('files:read'));
    expect(key()).not.toBe(ANONYMOUS_GRANT.key);
  });

  it('are wanted in full by a primitive that names several', () => {
    expect(grantOf(new Set(['a'])).permits(['a', 'b'])).toBe(false);
    expect(grantOf(new Set(['a', 'b'])).permits(['a', 'b'])).toBe(true);
    expect(ANONYMOUS_GRANT.permits([])).toBe(true);
    expect(ANONYMOUS_GRANT.permits(['a'])).toBe(false);
  });

  it('of a tenant are its primitives’ and those it declares; a baseline is asked for in their place', () => {
    const policy = readAccessPolicy({ scopes: [{ name: 'files', implies: ['x'] }] });
    expect(everyScope(policy, ['files:read'])).toEqual(['mcp', 'files:read', 'files']);
    expect(baselineScopes(policy, ['files:read'])).toEqual(['mcp', 'files:read', 'files']);
    expect(baselineScopes({ ...policy, baseline: ['files:read'] }, ['files:read'])).toEqual(['mcp', 'files:read']);
  });
});
