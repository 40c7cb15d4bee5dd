import type { Principal } from '#authoring/principal.js';
import { fewest, isCovered } from './scope-rules.js';
import type { TenantRules } from './tenant-rules.js';

/** Who calls, and what their scopes permit. */
export interface Caller {
  readonly principal: Principal;
  readonly grant: Grant;
  /** What was shown to get in; undefined for the anonymous principal. */
  readonly token: TokenFacts | undefined;
}

/** What a set of scopes permits. */
export interface Grant {
  /** Equal for sets that permit the same. */
  readonly key: string;
  /** Whether its holder can ask for more. To others, what they lack scopes for does not exist. */
  readonly canStepUp: boolean;
  /** True when every one of the scopes is granted. */
  permits(scopes: readonly string[]): boolean;
}

/** What is kept of a token that was verified. */
export interface TokenFacts {
  /** The scopes that it names, without those that they imply. */
  readonly scopes: ReadonlySet<string>;
  /** When it expires, tolerance included, in milliseconds since the epoch; infinite when it does not. */
  readonly expiresAt: number;
  /** What a revocation of it has as its subject; undefined when it cannot be revoked here. */
  readonly revocation: string | undefined;
  /** Under which rules it was let in. */
  readonly rules: TenantRules;
}

/** The grant of the anonymous principal. Its key is no set of scopes: a quote stands in none. */
export const ANONYMOUS_GRANT: Grant = {
  key: '"anonymous"',
  canStepUp: false,
  permits: (needed) => needed.length === 0,
};

/** @param scopes with all that they imply */
export function grantOf(scopes: ReadonlySet<string>): Grant {
  return {
    key: fewest(scopes).join(' '),
    canStepUp: true,
    permits: (needed) => needed.every((scope) => isCovered(scopes, scope)),
  };
}
