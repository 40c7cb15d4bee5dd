import type { Caching } from '#catalogue/entries.js';
import { Forbidden } from '#catalogue/catalogue-view.js';
import type { Outcome, Retry } from '#invocation/call.js';
import { performCall } from '#invocation/perform-call.js';
import { isRejection, reject } from '#protocol/errors.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';
import { depart, readRetry } from './handler-call.js';
import { refuseLookup } from './refuse-lookup.js';
import { resourceCall } from './resource-call.js';

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

  const call = resourceCall(exchange, stages, { found, uri, retry });
  const outcome = await performCall(call, stages.invocation);
  return depart(exchange, stages, call, withCaching(outcome, retry, found.entry.caching));
}

/** What a retry brought depends on more than the URI, and must not be kept (specification: server/utilities/caching). */
function withCaching(outcome: Outcome, retry: Retry | undefined, caching: Caching): Outcome {
  if (outcome.type !== 'complete') return outcome;
  return { type: 'complete', result: { ...outcome.result, ...(retry ? NOT_CACHED : caching) } };
}
