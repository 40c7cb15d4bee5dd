import type { Caching } from '#catalogue/entries.js';
import { Forbidden, type FoundResource } from '#catalogue/catalogue-view.js';
import type { Outcome, Retry } from '#invocation/call.js';
import { performCall } from '#invocation/perform-call.js';
import { toResourceContents } from '#invocation/results/resource-contents.js';
import { isRejection, reject } from '#protocol/errors.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';
import { depart, handlerCall, presentAsError, readRetry } from './handler-call.js';
import { refuseLookup } from './refuse-lookup.js';

const NOT_CACHED: Caching = { ttlMs: 0, cacheScope: 'private' };

/** `resources/read` (specification: server/resources, "Reading Resources"). */
export async function readResource(exchange: Exchange, stages: Stages): Promise<Departure> {
  const { id, params } = exchange.envelope;
  const { uri } = params;
  if (typeof uri !== 'string') return rejected(reject('invalid_params', '`params.uri` must be a string.', { id }));
  const found = exchange.view.findResource(uri);
  if (!found || found instanceof Forbidden) {
    const unknown = { message: 'Resource not found', data: { uri: uri.slice(0, 2048) } };
    return rejected(refuseLookup(exchange, found, unknown));
  }
  const retry = readRetry(exchange);
  if (retry && isRejection(retry)) return rejected(retry);

  const { entry } = found;
  const call = handlerCall(exchange, stages, {
    method: 'resources/read',
    name: uri,
    label: entry.key,
    arguments: undefined,
    retry,
    timeoutMs: entry.timeoutMs,
    run: (context) => entry.handler(inputOf(found, uri), context),
    toResult: (returned) => ({ contents: toResourceContents(returned, uri, entry.mimeType) }),
    present: presentAsError,
  });
  const outcome = await performCall(call, stages.invocation);
  return depart(exchange, stages, call, withCaching(outcome, retry, entry.caching));
}

function inputOf(found: FoundResource, uri: string): unknown {
  return found.type === 'fixed' ? uri : found.variables;
}

/** What a retry brought depends on more than the URI, and must not be kept (specification: server/utilities/caching). */
function withCaching(outcome: Outcome, retry: Retry | undefined, caching: Caching): Outcome {
  if (outcome.type !== 'complete') return outcome;
  return { type: 'complete', result: { ...outcome.result, ...(retry ? NOT_CACHED : caching) } };
}
