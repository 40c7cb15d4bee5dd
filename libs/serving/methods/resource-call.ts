import type { FoundResource } from '#catalogue/catalogue-view.js';
import type { Call, Retry } from '#invocation/call.js';
import { toResourceContents } from '#invocation/results/resource-contents.js';
import type { Exchange } from '../exchange.js';
import type { Stages } from '../stages.js';
import { handlerCall, presentAsError } from './handler-call.js';

/** The call that reads a resource that was found behind this URI. */
export function resourceCall(
  exchange: Exchange,
  stages: Stages,
  { found, uri, retry }: { readonly found: FoundResource; readonly uri: string; readonly retry: Retry | undefined },
): Call {
  const { entry } = found;
  const input = found.type === 'fixed' ? uri : found.variables;
  return handlerCall(exchange, stages, {
    method: 'resources/read',
    name: uri,
    label: entry.key,
    arguments: undefined,
    retry,
    timeoutMs: entry.timeoutMs,
    configuration: exchange.catalogue.configurationOf(entry.source),
    run: (context) => entry.handler(input, context),
    toResult: (returned) => ({ contents: toResourceContents(returned, uri, entry.mimeType) }),
    present: presentAsError,
  });
}
