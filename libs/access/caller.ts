import type { Principal } from '#authoring/principal.js';

/** Who calls, and what their scopes permit. */
export interface Caller {
  readonly principal: Principal;
  readonly grant: Grant;
}

/** What a set of scopes permits. */
export interface Grant {
  /** Equal for sets that permit the same. */
  readonly key: string;
  /** True when every one of the scopes is granted. */
  permits(scopes: readonly string[]): boolean;
}

export function grantOf(scopes: ReadonlySet<string>): Grant {
  return {
    key: [...scopes].sort().join(' '),
    permits: (needed) => needed.every((scope) => scopes.has(scope)),
  };
}
