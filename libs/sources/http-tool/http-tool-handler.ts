import type { ToolContext } from '#authoring/context.js';
import { ShownError } from '#authoring/shown-error.js';
import type { ToolResult } from '#authoring/tool-result.js';
import type { Handler } from '#catalogue/entries.js';
import { TimeLimitError } from '#invocation/fault.js';
import { BusyReadingError, type Holding } from '#outbound/byte-budget.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import type { OutboundResponse } from '#outbound/outbound-request.js';
import { TooLargeError } from '#outbound/read-within.js';
import { withRetries } from '#outbound/retries.js';
import type { Arguments } from './argument-values.js';
import type { Present, Presented } from './credentials.js';
import { explainFailure } from './explain-failure.js';
import type { HttpToolLimits } from './limit-definition.js';
import type { MadeRequest, WriteRequest } from './tool-request.js';
import type { UpstreamState } from './upstream-state.js';

/** What calls of a service need. */
export interface ServiceParts<T> {
  readonly present: Present;
  readonly read: (response: OutboundResponse, secrets: readonly string[]) => T;
  readonly limits: HttpToolLimits;
  readonly state: UpstreamState;
  readonly outbound: OutboundClient;
}

/** An HTTP tool, compiled. */
export interface HttpToolParts extends ServiceParts<ToolResult> {
  readonly write: WriteRequest;
}

/** What a call runs. Its time limit is the invocation's, which fires the signal. */
export function httpToolHandler(parts: HttpToolParts): Handler {
  return async (input, context) => {
    const request = parts.write(input as Arguments);
    const { signal } = context as ToolContext;
    try {
      return await withinLimits(parts, request, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      throw explainFailure(error, 'tool');
    }
  };
}

/** Sends a request and reads its response, within what the definition allows all calls together. */
export async function withinLimits<T>(parts: ServiceParts<T>, request: MadeRequest, signal: AbortSignal): Promise<T> {
  const { breaker, concurrency } = parts.state;
  const deadline = performance.now() + parts.limits.timeoutMs;
  await concurrency.enter(signal);
  const holding = parts.state.hold();
  try {
    breaker.enter();
    const bounds = { signal, deadline, take: holding.take };
    const { response, presented } = await watched(parts, () => ask(parts, request, bounds), signal);
    return parts.read(response, presented.secrets);
  } finally {
    holding.release();
    concurrency.leave();
  }
}

/** Tells the breaker how it went. */
async function watched(
  parts: ServiceParts<unknown>,
  work: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const { breaker } = parts.state;
  try {
    const answer = await work();
    if (answer.response.status >= 500) breaker.fail();
    else breaker.succeed();
    return answer;
  } catch (error) {
    if (saysNothing(error, signal)) breaker.abstain();
    else breaker.fail();
    throw error;
  }
}

/** A client that went away, missing credentials and an answer that is too large do not mean that the service is down. */
function saysNothing(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return !(signal.reason instanceof TimeLimitError);
  return error instanceof ShownError || error instanceof TooLargeError || error instanceof BusyReadingError;
}

interface Answer {
  readonly response: OutboundResponse;
  readonly presented: Presented;
}

interface Bounds {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly take: Holding['take'];
}

/** Once more with other credentials, when those that were sent are good no longer. */
async function ask(parts: ServiceParts<unknown>, request: MadeRequest, bounds: Bounds): Promise<Answer> {
  const first = await askOnce(parts, request, bounds);
  if (first.response.status !== 401 || !(await first.presented.refused())) return first;
  return askOnce(parts, request, bounds);
}

async function askOnce(
  parts: ServiceParts<unknown>,
  request: MadeRequest,
  { signal, deadline, take }: Bounds,
): Promise<Answer> {
  const { limits, outbound } = parts;
  const { method, origin, body } = request;
  const draft = { path: request.path, headers: { ...request.headers } };
  const presented = await parts.present(draft, signal);
  const outgoing = { method, origin, ...draft, body };
  const { maxBytes, redirects, retries } = limits;
  const send = (): Promise<OutboundResponse> => outbound.send(outgoing, { maxBytes, redirects, signal, take });
  return { response: await withRetries(send, { method, retries, deadline, signal }), presented };
}
