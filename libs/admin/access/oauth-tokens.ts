import { type AccessTokenStrategy, runStrategy } from '#access/access-token.strategy.js';
import { readEmbeddedClaims, takesEmbeddedHeader } from '#access/embedded-claims.js';
import type { KeySource } from '#access/key-source.js';
import type { TokenTerms } from '#access/token-terms.js';
import type { VerifiedToken } from '#access/token-verifier.js';
import { type AccountStore, labelOf } from '#authorization/stores/account.store.js';
import type { GrantStore } from '#authorization/stores/grant.store.js';
import type { AdminCaller } from './admin-caller.js';
import { ADMIN_RESOURCE, permittedBy } from './admin-resource.js';
import type { AdminScope } from './admin-scopes.js';
import type { AdminTokens } from './admin-tokens.js';

/** Three parts with points between them, as the compact form of a JWS has (RFC 7515 section 3.1). */
const SIGNED = /^[\w-]+\.[\w-]+\.[\w-]*$/;

export interface OAuthTokenParts {
  readonly strategy: AccessTokenStrategy;
  readonly keys: KeySource;
  readonly accounts: Pick<AccountStore, 'find' | 'adminRights'>;
  readonly grants: Pick<GrantStore, 'find'>;
  /** The issuer, before whose path the admin API stands. */
  readonly publicOrigin: () => string;
}

/**
 * Access tokens of the embedded authorization server for the admin API (RFC 9068). The token says who and with which
 * scopes; whether the grant stands, whether the account is active and what it administers is looked up each time, so that
 * what was taken away counts at once, on every node.
 */
export class OAuthTokens implements AdminTokens {
  constructor(private readonly parts: OAuthTokenParts) {}

  async verify(token: string): Promise<AdminCaller | 'invalid' | undefined> {
    if (!SIGNED.test(token)) return undefined;
    const headers = { authorization: `Bearer ${token}` };
    const verified = await runStrategy(this.parts.strategy, { headers, tokenTerms: this.terms() });
    return typeof verified === 'string' ? 'invalid' : ((await this.callerOf(verified)) ?? 'invalid');
  }

  private terms(): TokenTerms {
    const { keys, publicOrigin } = this.parts;
    const issuer = publicOrigin();
    const audience = { issuer, resource: `${issuer}${ADMIN_RESOURCE.path}`, tenantId: null };
    return {
      keys,
      takesHeader: takesEmbeddedHeader,
      read: (claims) => readEmbeddedClaims(claims, audience),
      isRevoked: async (token) => !(await this.isGranted(token)),
    };
  }

  private async isGranted({ revocation: id, subject, clientId }: VerifiedToken): Promise<boolean> {
    const grant = id === undefined ? undefined : await this.parts.grants.find(this.parts.publicOrigin(), id);
    return grant?.tenantId === null && grant.accountId === subject && grant.clientId === clientId;
  }

  /** Undefined when the person administers nothing (any more). */
  private async callerOf({ subject, scopes }: VerifiedToken): Promise<AdminCaller | undefined> {
    const { accounts } = this.parts;
    const [account, rights] = await Promise.all([accounts.find(subject), accounts.adminRights(subject)]);
    if (!account || !rights || (!rights.operator && rights.tenantIds.length === 0)) return undefined;
    const permitted = permittedBy(scopes);
    return {
      actor: `account:${account.id}`,
      name: labelOf(account),
      everywhere: rights.operator ? permitted : undefined,
      tenants: new Map<string, readonly AdminScope[]>(rights.tenantIds.map((tenantId) => [tenantId, permitted])),
    };
  }
}
