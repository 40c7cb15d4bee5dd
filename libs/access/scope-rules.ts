import type { AccessPolicy, ScopeDeclaration } from '#tenancy/access-policy.js';
import { CONNECT_SCOPE } from '#tenancy/access-policy.js';

/** How many scopes a set may grow to by implications. */
const MAX_SCOPES = 2_000;

/**
 * Whether one of the scopes is the needed one or a segment above it: `files` covers `files:read`. Everybody has the scope
 * to connect, so it covers nothing: `mcp:admin` is another scope.
 */
export function isCovered(held: ReadonlySet<string>, needed: string): boolean {
  if (held.has(needed)) return true;
  for (let end = needed.lastIndexOf(':'); end > 0; end = needed.lastIndexOf(':', end - 1)) {
    const above = needed.slice(0, end);
    if (above !== CONNECT_SCOPE && held.has(above)) return true;
  }
  return false;
}

/**
 * The scopes with all that they imply. What a scope covers implies for it too: if `files:write` implies `audit:read`, who
 * holds `files` has `audit:read`. Circles do no harm; at 2,000 scopes it stops.
 */
export function withImplied(
  held: ReadonlySet<string>,
  declarations: readonly Pick<ScopeDeclaration, 'name' | 'implies'>[],
): ReadonlySet<string> {
  const scopes = new Set(held);
  let waiting = declarations.filter(({ implies }) => implies.length > 0);
  for (let before = -1; before !== waiting.length && scopes.size < MAX_SCOPES;) {
    before = waiting.length;
    waiting = waiting.filter(({ name, implies }) => {
      if (scopes.size >= MAX_SCOPES || !isCovered(scopes, name)) return true;
      for (const implied of implies) scopes.add(implied);
      return false;
    });
  }
  return scopes;
}

/** The fewest scopes that cover the same, in order. */
export function fewest(scopes: ReadonlySet<string>): readonly string[] {
  const isAboveAll = (scope: string): boolean => {
    const above = scope.lastIndexOf(':');
    return above <= 0 || !isCovered(scopes, scope.slice(0, above));
  };
  return [...scopes].filter(isAboveAll).sort();
}

/**
 * Every scope that a host may ask for, the one to connect first. Of an external issuer we know those alone that the
 * policy names as the baseline: they are its own words, and it refuses ours.
 * @param named those that the tenant's primitives name
 */
export function everyScope(
  { scopes, baseline, externalIssuer }: AccessPolicy,
  named: readonly string[],
): readonly string[] {
  if (externalIssuer) return baseline;
  return [...new Set([CONNECT_SCOPE, ...named, ...scopes.map(({ name }) => name)])];
}

/** What a host is to ask for that wants nothing in particular. */
export function baselineScopes(policy: AccessPolicy, named: readonly string[]): readonly string[] {
  if (policy.externalIssuer || policy.baseline.length === 0) return everyScope(policy, named);
  return [...new Set([CONNECT_SCOPE, ...policy.baseline])];
}
