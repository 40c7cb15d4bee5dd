import { createHash, randomUUID } from 'node:crypto';
import { reject, type Rejection } from '#protocol/errors.js';
import type { Call, Outcome } from '../call.js';
import { ShownError } from '#authoring/shown-error.js';
import type { InvocationLimits } from '../limits.js';
import type { Round, RoundStore, TakenRound } from '../round.store.js';
import { canonicalJson } from './canonical-json.js';
import type { RoundMemory } from './round-memory.js';
import type { StateSealer } from './sealed-state.js';

/** How long to wait between two looks at a round that another request is finishing. */
const POLL_MS = 100;

const REFUSED =
  'requestState is not good for this request: it was changed, has expired, or belongs to another one. Call again without it.';

/** Keeps what ties the rounds of a call together: a sealed handle with the client, a row in the store. */
export class RoundKeeper {
  constructor(
    private readonly store: RoundStore,
    private readonly sealer: StateSealer,
    private readonly limits: InvocationLimits,
  ) {}

  /**
   * Takes the round that the client's state names, for this request alone. A repeat of a request that was answered gets
   * that answer again; a repeat of one that is still running waits for its answer.
   */
  async resume(call: Call, requestState: string): Promise<Round | Outcome | Rejection> {
    const handle = this.sealer.open(requestState, binding(call));
    if (!handle) return reject('invalid_params', REFUSED);
    const found = await this.takeOrWait(call, handle.roundId);
    switch (found.state) {
      case 'taken':
        return found.round;
      case 'settled':
        return JSON.parse(found.outcome) as Outcome;
      case 'gone':
        return reject('invalid_params', REFUSED);
      case 'running':
        return reject(
          'internal_error',
          'The same request was sent before and its outcome is not known. Call again without requestState.',
        );
    }
  }

  /** Ends a round with questions: keeps what is known so far and makes the result that asks. */
  async suspend(call: Call, memory: RoundMemory, previous: Round | undefined): Promise<Outcome> {
    const round: Round = {
      ...memory.snapshot(),
      tenantId: call.tenant.id,
      id: randomUUID(),
      number: (previous?.number ?? 0) + 1,
      expiresAt: new Date(Date.now() + this.limits.roundTtlMs),
    };
    this.checkBounds(round);
    const requestState = this.sealer.seal({ roundId: round.id, expiresAt: round.expiresAt.getTime() }, binding(call));
    const outcome: Outcome = {
      type: 'input_required',
      result: { inputRequests: Object.fromEntries(memory.open), requestState },
    };
    if (previous) await this.store.settle(call.tenant.id, previous.id, JSON.stringify(outcome), round);
    else await this.store.open(round);
    return outcome;
  }

  /** Ends the last round: keeps its outcome for repeats. */
  async conclude(round: Round, outcome: Outcome): Promise<void> {
    await this.store.settle(round.tenantId, round.id, JSON.stringify(outcome));
  }

  /** Lets the round be taken again, with what is known by now. */
  async giveBack(round: Round): Promise<void> {
    await this.store.release(round);
  }

  private async takeOrWait(call: Call, roundId: string): Promise<TakenRound> {
    const deadline = Date.now() + (call.timeoutMs ?? this.limits.callTimeoutMs);
    const client = { gone: false };
    call.channel.onClose(() => {
      client.gone = true;
    });
    let found = await this.store.take(call.tenant.id, roundId);
    while (found.state === 'running' && !client.gone && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      found = await this.store.take(call.tenant.id, roundId);
    }
    return found;
  }

  private checkBounds(round: Round): void {
    if (round.number > this.limits.rounds)
      throw new ShownError(`The call asked ${this.limits.rounds} times without coming to an end.`);
    if (JSON.stringify([round.answers, round.steps]).length > this.limits.roundStateLength) {
      throw new ShownError('The call keeps more between its rounds than is allowed.');
    }
  }
}

/** Everything that a state is good for, as one string: tenant, principal, and the request it came from. */
function binding(call: Call): string {
  const { tenant, principal, method, name } = call;
  const digest = createHash('sha256')
    .update(canonicalJson(call.arguments ?? {}))
    .digest('base64');
  return JSON.stringify([tenant.id, principal.subject, principal.clientId ?? null, method, name, digest]);
}
