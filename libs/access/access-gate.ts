import { hash } from 'node:crypto';
import { isRejection, reject, type Rejection } from '#protocol/errors.js';
import { ANONYMOUS_GRANT, type Caller } from './caller.js';
import { type GuardedPlace, refuseCredentials, refuseToken } from './challenges.js';
import { type Credentials, isTokenText, readBearer } from './credentials.js';
import type { Revocation } from './revocation.store.js';
import { RecentTokens } from './recent-tokens.js';
import { type GuardedTenant, renewCaller, rulesOf } from './tenant-rules.js';
import { TokenMemory } from './token-memory.js';
import type { TokenVerifier, TokenVerifiers, VerifiedToken } from './token-verifier.js';

/** For how long a token is believed without being looked at again, in milliseconds. */
const MAX_REMEMBERED_MS = 600_000;
const NO_SCOPES: ReadonlySet<string> = new Set();

export interface GateOptions {
  /** How many verified tokens are remembered. */
  readonly tokensInMemory: number;
  /** Told why a token could not be looked at. */
  onFailure(error: unknown): void;
}

/**
 * Decides who calls a tenant. An open tenant is called by its anonymous principal, which holds no scopes; every other is
 * closed to callers without a token that is good there. A token that was verified is remembered by its digest, and let in
 * without waiting, until it expires, is revoked, or the tenant's rules change.
 */
export class AccessGate {
  private readonly memory: TokenMemory;
  private readonly recent = new RecentTokens();
  private readonly verifying = new Map<string, Promise<Caller | Rejection>>();
  /** Grows with every revocation: what was looked at across one is not remembered. */
  private revocations = 0;

  constructor(
    private readonly verifiers: TokenVerifiers,
    private readonly options: GateOptions,
  ) {
    this.memory = new TokenMemory(options.tokensInMemory);
  }

  admit(place: GuardedPlace, credentials: Credentials): Caller | Rejection | Promise<Caller | Rejection> {
    if (place.tenant.access === 'open') return anonymous(place.tenant);
    return this.recallRecent(place, credentials) ?? this.look(place, credentials);
  }

  /** The caller under the rules that the tenant has now; undefined when it does not let them in any more. */
  renew(caller: Caller, tenant: GuardedTenant): Caller | undefined {
    return renewCaller(caller, tenant);
  }

  /** Takes in that tokens were revoked: none of them is let in from now on. */
  forget(revocation: Revocation): void {
    this.revocations += 1;
    this.memory.revoke(revocation);
  }

  /** Looks at every token anew, as when there were too many revocations to take in. */
  forgetAll(): void {
    this.revocations += 1;
    this.memory.clear();
  }

  /** What the connection brought last, if it brings that again and it is remembered. */
  private recallRecent({ tenant, address }: GuardedPlace, credentials: Credentials): Caller | undefined {
    const { connection, authorization, repeated, inQuery } = credentials;
    if (!connection || repeated || inQuery) return undefined;
    const digest = this.recent.digestOf(connection, tenant.id, address.resource, authorization);
    return digest === undefined ? undefined : this.recall(digest, tenant);
  }

  private look(place: GuardedPlace, credentials: Credentials): Caller | Rejection | Promise<Caller | Rejection> {
    const { tenant, address } = place;
    const shown = readBearer(credentials);
    if ('fault' in shown) return refuseCredentials(place, shown.fault);
    const digest = hash('sha256', `${tenant.id} ${address.resource} ${shown.token}`, 'base64url');
    const { connection, authorization = '' } = credentials;
    if (connection) {
      this.recent.keep(connection, { authorization, place: address.resource, tenantId: tenant.id, digest });
    }
    return this.recall(digest, tenant) ?? this.verifyOnce(digest, shown.token, place);
  }

  private recall(digest: string, tenant: GuardedTenant): Caller | undefined {
    const known = this.memory.get(digest);
    if (known === undefined || known.token?.rules === rulesOf(tenant)) return known;
    const renewed = renewCaller(known, tenant);
    if (renewed) this.memory.replace(digest, renewed);
    else this.memory.delete(digest);
    return renewed;
  }

  /** However many requests bring a new token at once, it is looked at once. */
  private verifyOnce(digest: string, token: string, place: GuardedPlace): Rejection | Promise<Caller | Rejection> {
    if (!isTokenText(token)) return refuseToken(place, 'invalid');
    const running = this.verifying.get(digest);
    if (running) return this.share(running, digest, token, place);
    const verifying = this.verify(digest, token, place).finally(() => this.verifying.delete(digest));
    this.verifying.set(digest, verifying);
    return verifying;
  }

  /** The rules may have changed since the look that is shared began. */
  private async share(
    running: Promise<Caller | Rejection>,
    digest: string,
    token: string,
    place: GuardedPlace,
  ): Promise<Caller | Rejection> {
    const caller = await running;
    if (isRejection(caller)) return caller;
    return renewCaller(caller, place.tenant) ?? this.verify(digest, token, place);
  }

  private async verify(digest: string, token: string, place: GuardedPlace): Promise<Caller | Rejection> {
    const before = this.revocations;
    try {
      const verified = await this.verifierOf(place.tenant).verify(token, place);
      if (typeof verified === 'string') return refuseToken(place, verified);
      const caller = callerOf(verified, place.tenant);
      const until = Math.min(verified.expiresAt, Date.now() + MAX_REMEMBERED_MS);
      if (before === this.revocations) this.memory.set(digest, caller, until);
      return caller;
    } catch (error) {
      this.options.onFailure(error);
      return reject('unavailable', 'The access token cannot be checked just now. Try again soon.');
    }
  }

  private verifierOf({ access, accessPolicy }: GuardedTenant): TokenVerifier {
    if (access === 'tokens') return this.verifiers.issuedByAdmin;
    return accessPolicy.externalIssuer ? this.verifiers.external : this.verifiers.embedded;
  }
}

function anonymous({ id }: GuardedTenant): Caller {
  return {
    principal: { tenantId: id, subject: 'anonymous', clientId: undefined, scopes: NO_SCOPES },
    grant: ANONYMOUS_GRANT,
    token: undefined,
  };
}

function callerOf({ subject, clientId, ...token }: VerifiedToken, tenant: GuardedTenant): Caller {
  const rules = rulesOf(tenant);
  const { scopes, grant } = rules.grant(token.scopes);
  return { principal: { tenantId: tenant.id, subject, clientId, scopes }, grant, token: { ...token, rules } };
}
