import { hash } from 'node:crypto';
import { CircuitBreaker } from '#outbound/circuit-breaker.js';
import { ConcurrencyLimit } from '#outbound/concurrency-limit.js';
import { keepLatest } from '#protocol/keep-latest.js';
import type { SourceContext } from '../registered-sources.js';
import type { AccessTokens } from './access-tokens.js';
import type { HttpToolLimits } from './limit-definition.js';

/** What calls of one source share on this node. */
export interface UpstreamState {
  readonly breaker: CircuitBreaker;
  readonly concurrency: ConcurrencyLimit;
  /** By the place of the credential in the definition. */
  readonly tokens: Map<number, AccessTokens>;
}

/** How many sources keep their state; the one that was compiled longest ago goes first. */
const MAX_STATES = 20_000;

/** Keeps the state of sources over recompilations, as long as their definition stays the same. */
export class UpstreamStates {
  private readonly states = new Map<string, UpstreamState>();

  of({ source, tenant }: Pick<SourceContext, 'source' | 'tenant'>, limits: HttpToolLimits): UpstreamState {
    const key = `${tenant.id} ${source.id} ${hash('sha256', JSON.stringify(source.definition), 'base64')}`;
    const state = this.states.get(key) ?? {
      breaker: new CircuitBreaker(limits.breaker),
      concurrency: new ConcurrencyLimit(limits.concurrency, limits.queue),
      tokens: new Map<number, AccessTokens>(),
    };
    keepLatest(this.states, key, state, MAX_STATES);
    return state;
  }
}
