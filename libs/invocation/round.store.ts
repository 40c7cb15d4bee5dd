import type { JsonObject, JsonValue } from '#protocol/json.js';

/**
 * What is kept between two rounds of one multi round-trip request
 * (specification: basic/patterns/mrtr). The client holds only a sealed handle to it.
 */
export interface Round {
  readonly tenantId: string;
  /** Random, unguessable; unique within the tenant. */
  readonly id: string;
  /** How many rounds have ended with a question, this one included; the first is 1. */
  readonly number: number;
  /** Validated answers so far, by question key. */
  readonly answers: Readonly<Record<string, JsonObject>>;
  /** Results of the side effects that have run, by step name. */
  readonly steps: Readonly<Record<string, JsonValue>>;
  readonly expiresAt: Date;
}

/**
 * What an attempt to take a round found:
 * - `taken`: it is the caller's; nobody else gets it any more.
 * - `running`: another request took it and has not settled it yet.
 * - `settled`: another request finished it with this outcome.
 * - `gone`: no such round in this tenant, or it has expired.
 */
export type TakenRound =
  | { readonly state: 'taken'; readonly round: Round }
  | { readonly state: 'running' }
  | { readonly state: 'settled'; readonly outcome: string }
  | { readonly state: 'gone' };

/** Where rounds are kept. A round is taken at most once, atomically, on whatever node. */
export abstract class RoundStore {
  /** Keeps a new round, not yet taken. */
  abstract open(round: Round): Promise<void>;

  /** Takes the round if nobody has (one conditional update), else tells what became of it. */
  abstract take(tenantId: string, id: string): Promise<TakenRound>;

  /**
   * Keeps the outcome of a taken round for repeats of the same request and, when that outcome is another question,
   * opens the next round in the same transaction.
   * @param outcome the encoded outcome, opaque to the store
   */
  abstract settle(tenantId: string, id: string, outcome: string, next?: Round): Promise<void>;

  /** Lets a taken round that was not settled be taken again, with these answers and steps. */
  abstract release(round: Round): Promise<void>;

  /** Deletes rounds that expired before the given time, at most 1,000 at once. Returns how many went. */
  abstract sweep(before: Date): Promise<number>;
}
