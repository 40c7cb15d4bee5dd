import { Forbidden } from '#catalogue/catalogue-view.js';
import { performCall } from '#invocation/perform-call.js';
import { RefusedCall } from '#invocation/refused-call.js';
import type { ResourceContents } from '#protocol/content.js';
import { reject } from '#protocol/errors.js';
import type { Exchange } from '../exchange.js';
import type { Stages } from '../stages.js';
import { nestedExchange } from './nested-exchange.js';
import { refuseLookup } from './refuse-lookup.js';
import { resourceCall } from './resource-call.js';

const NOT_THERE = { message: 'What this prompt embeds is not there.' };

/**
 * Reads a resource for a call under way, with the rights of its caller.
 * @throws RefusedCall with the answer that reading it would have had
 */
export async function readForCaller(
  exchange: Exchange,
  stages: Stages,
  { uri, signal }: { readonly uri: string; readonly signal: AbortSignal },
): Promise<readonly ResourceContents[]> {
  const found = exchange.view.findResource(uri);
  if (!found || found instanceof Forbidden) throw new RefusedCall(refuseLookup(exchange, found, NOT_THERE));
  const call = resourceCall(nestedExchange(exchange, signal), stages, { found, uri, retry: undefined });
  const outcome = await performCall(call, stages.invocation);
  if (outcome.type === 'complete') return (outcome.result as { contents: readonly ResourceContents[] }).contents;
  if (outcome.type === 'refused' && outcome.rejection.kind !== 'missing_client_capability')
    throw new RefusedCall(outcome.rejection);
  throw new RefusedCall(reject('internal_error', 'What this prompt embeds cannot be read without asking the user.'));
}
