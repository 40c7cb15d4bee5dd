import { hash } from 'node:crypto';
import { ByteBudget, type Holding } from '#outbound/byte-budget.js';
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
  /** What a call holds of responses; it owes it back. */
  readonly hold: () => Holding;
  /** By the place of the credential in the definition. */
  readonly tokens: Map<number, AccessTokens>;
}

/** How many sources keep their state; the one that was compiled longest ago goes first. */
const MAX_STATES = 20_000;
/** How much of responses this node holds while they are read, and of those of one tenant, in bytes. */
const MAX_HELD = 512 * 1024 * 1024;
const MAX_HELD_OF_TENANT = 64 * 1024 * 1024;

/** Keeps the state of sources over recompilations, as long as their definition stays the same. */
export class UpstreamStates {
  private readonly budget = new ByteBudget(MAX_HELD, MAX_HELD_OF_TENANT);
  private readonly states = new Map<string, UpstreamState>();

  of({ source, tenant }: Pick<SourceContext, 'source' | 'tenant'>, limits: HttpToolLimits): UpstreamState {
    const key = `${tenant.id} ${source.id} ${hash('sha256', JSON.stringify(source.definition), 'base64')}`;
    const state = this.states.get(key) ?? {
      breaker: new CircuitBreaker(limits.breaker),
      concurrency: new ConcurrencyLimit(limits.concurrency, limits.queue),
      hold: () => this.budget.open(tenant.id),
      tokens: new Map<number, AccessTokens>(),
    };
    keepLatest(this.states, key, state, MAX_STATES);
    return state;
  }
}
