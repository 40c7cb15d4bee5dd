import { randomUUID } from 'node:crypto';
import { MissingClientCapabilityError } from '#authoring/shown-error.js';
import { andThen } from '#protocol/and-then.js';
import { isRejection, reject } from '#protocol/errors.js';
import type { Call, Outcome } from './call.js';
import { Cancellation, type TimeLimit } from './cancellation.js';
import { ClientGoneError, type FaultLog, shownFault, TimeLimitError } from './fault.js';
import { HandlerContext } from './handler-context.js';
import type { InvocationLimits } from './limits.js';
import { RefusedCall } from './refused-call.js';
import type { Round } from './round.store.js';
import type { RoundKeeper } from './rounds/round-keeper.js';
import { RoundMemory } from './rounds/round-memory.js';
import { toError } from './to-error.js';

/** What every call needs of the platform. */
export interface Invocation {
  readonly limits: InvocationLimits;
  readonly rounds: RoundKeeper;
  readonly faults: FaultLog;
}

const NO_RESPONSES = Object.freeze({});
const NO_ARGUMENTS = Object.freeze({});

/** Runs a handler to the end of the call, or to the end of a round when it asks the client something. */
export function performCall(
  call: Call,
  invocation: Invocation,
  settled: Readonly<Record<string, string>> = NO_ARGUMENTS,
): Outcome | Promise<Outcome> {
  const state = call.retry?.requestState;
  if (state !== undefined) return resumeCall(call, invocation, state);
  return andThen(runHandler(call, invocation, undefined, settled), ({ outcome }) => outcome);
}

async function resumeCall(call: Call, invocation: Invocation, state: string): Promise<Outcome> {
  try {
    const found = await invocation.rounds.resume(call, state);
    if ('type' in found) return found;
    if (isRejection(found)) return { type: 'refused', rejection: found };
    return await finishRound(call, invocation, found);
  } catch (error) {
    return failed(call, invocation, error);
  }
}

/**
 * A round that was taken is finished whatever becomes of the client, so that its outcome is there for a repeat. One that
 * failed for want of a capability is given back: the client can try again with it.
 */
async function finishRound(call: Call, invocation: Invocation, round: Round): Promise<Outcome> {
  const { outcome, memory } = await runHandler(call, invocation, round, NO_ARGUMENTS);
  if (outcome.type === 'input_required') return outcome;
  const kept =
    outcome.type === 'refused' && outcome.rejection.kind === 'missing_client_capability'
      ? invocation.rounds.giveBack({ ...round, ...memory?.snapshot() })
      : invocation.rounds.conclude(round, outcome);
  await kept.catch((error: unknown) => logged(call, invocation, error));
  return outcome;
}

/** How a run of the handler ended, and what it remembers. */
interface Run {
  readonly outcome: Outcome;
  readonly memory: RoundMemory | undefined;
}

/** One run of a handler that is under way. */
interface Running {
  readonly call: Call;
  readonly invocation: Invocation;
  readonly round: Round | undefined;
  readonly cancellation: Cancellation;
  readonly context: HandlerContext;
  readonly limit: TimeLimit;
}

/** A handler that waits for nothing has run when this returns. */
function runHandler(
  call: Call,
  invocation: Invocation,
  round: Round | undefined,
  settled: Readonly<Record<string, string>>,
): Run | Promise<Run> {
  const cancellation = new Cancellation();
  const responses = call.retry?.inputResponses ?? NO_RESPONSES;
  const remember = (): RoundMemory => new RoundMemory(call.meta.clientCapabilities, round, responses);
  const context = new HandlerContext(call, cancellation, remember, settled);
  const ms = call.timeoutMs ?? invocation.limits.callTimeoutMs;
  const limit: TimeLimit = { ms, error: () => new TimeLimitError(ms) };
  const running: Running = { call, invocation, round, cancellation, context, limit };
  let result: object | Promise<object>;
  try {
    const returned = call.run(context);
    if (isThenable(returned) || hasAsked(context)) return finishRun(running, returned);
    result = call.toResult(returned);
  } catch (error) {
    return finishRun(running, Promise.reject(toError(error)));
  }
  if (result instanceof Promise) return finishRun(running, result, () => result);
  context.end();
  return { outcome: { type: 'complete', result }, memory: context.memory };
}

/** Waits for the handler within its limits, and for the answers and steps under way when its round ends. */
async function finishRun(
  { call, invocation, round, cancellation, context, limit }: Running,
  work: unknown,
  toResult: Call['toResult'] = call.toResult,
): Promise<Run> {
  const end = (outcome: Outcome): Run => ({ outcome, memory: context.memory });
  const fail = (error: unknown): Run => end(failed(call, invocation, error, round));
  try {
    if (isThenable(work)) watchClient(call, cancellation, round);
    const returned = isThenable(work) ? await cancellation.race(work, limit) : work;
    if (!hasAsked(context)) return end({ type: 'complete', result: await toResult(returned) });
  } catch (error) {
    if (!hasAsked(context) || cancellation.reason) return fail(error);
  } finally {
    context.end();
  }
  try {
    await cancellation.race(context.memory.settle(), limit);
    return end(await invocation.rounds.suspend(call, context.memory, round));
  } catch (error) {
    return fail(error);
  }
}

function hasAsked(context: HandlerContext): context is HandlerContext & { readonly memory: RoundMemory } {
  return context.memory !== undefined && context.memory.open.size > 0;
}

/** A client that goes away ends a call at once; a round that was taken is left to end by itself. */
function watchClient(call: Call, cancellation: Cancellation, round: Round | undefined): void {
  call.channel.onClose(() => {
    if (round) cancellation.interrupt(new ClientGoneError());
    else cancellation.cancel(new ClientGoneError());
  });
}

function failed(call: Call, invocation: Invocation, error: unknown, round?: Round): Outcome {
  if (error instanceof ClientGoneError && !round) return { type: 'abandoned' };
  if (error instanceof MissingClientCapabilityError) {
    const { requiredCapabilities } = error;
    return {
      type: 'refused',
      rejection: reject('missing_client_capability', 'The request needs a client capability that was not declared.', {
        data: { requiredCapabilities },
      }),
    };
  }
  if (error instanceof RefusedCall) return { type: 'refused', rejection: error.rejection };
  const presented = call.present(shownFault(error) ?? logged(call, invocation, error));
  return isRejection(presented) ? { type: 'refused', rejection: presented } : { type: 'complete', result: presented };
}

function logged(call: Call, { faults }: Invocation, error: unknown): { type: 'failed'; correlationId: string } {
  const correlationId = randomUUID();
  const { method, label } = call;
  faults.handlerFailed({ correlationId, tenantId: call.tenant.id, method, label, error });
  return { type: 'failed', correlationId };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
