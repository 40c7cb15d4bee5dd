import { Forbidden } from '#catalogue/catalogue-view.js';
import type { Completer, PromptEntry, TemplateEntry } from '#catalogue/entries.js';
import { performCall } from '#invocation/perform-call.js';
import { matching, toCompletion } from '#invocation/results/completion-values.js';
import { isRejection, reject, type Rejection } from '#protocol/errors.js';
import { isJsonObject } from '#protocol/json.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';
import { depart, handlerCall, presentAsError } from './handler-call.js';
import { refuseLookup } from './refuse-lookup.js';
import { suggestByTool } from './suggest-by-tool.js';

const NOTHING: readonly string[] = [];

/** `completion/complete` (specification: server/utilities/completion). */
export async function complete(exchange: Exchange, stages: Stages): Promise<Departure> {
  const { envelope } = exchange;
  const asked = readRequest(envelope.params);
  if (isRejection(asked)) return rejected({ ...asked, id: envelope.id });
  const owner = findOwner(exchange, asked.ref);
  if (owner && isRejection(owner)) return rejected(owner);
  const completer = findCompleter(owner, asked.argument);
  if (isRejection(completer)) return rejected({ ...completer, id: envelope.id });

  const call = handlerCall(exchange, stages, {
    method: 'completion/complete',
    name: asked.argument,
    label: owner ? owner.key : 'resource',
    arguments: undefined,
    retry: undefined,
    timeoutMs: owner?.timeoutMs,
    configuration: exchange.catalogue.configurationOf(owner?.source ?? ''),
    run: (context) => {
      if (typeof completer === 'function') return completer(asked.value, context);
      if (!('tool' in completer)) return matching(completer, asked.value);
      return suggestByTool(exchange, stages, { completion: completer, typed: asked.value, signal: context.signal });
    },
    toResult: toCompletion,
    present: presentAsError,
  });
  return depart(exchange, stages, call, await performCall(call, stages.invocation, asked.settled));
}

type Reference =
  { readonly type: 'prompt'; readonly name: string } | { readonly type: 'resource'; readonly uri: string };

interface CompletionRequest {
  readonly ref: Reference;
  readonly argument: string;
  readonly value: string;
  readonly settled: Readonly<Record<string, string>>;
}

function readRequest(params: Readonly<Record<string, unknown>>): CompletionRequest | Rejection {
  const { ref, argument, context } = params;
  const reference = readReference(ref);
  if (!reference)
    return reject('invalid_params', '`params.ref` must be a ref/prompt with a name or a ref/resource with a uri.');
  if (!isJsonObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string') {
    return reject('invalid_params', '`params.argument` must have a name and a value, both strings.');
  }
  const settled = isJsonObject(context) ? (context['arguments'] ?? {}) : {};
  if (!isStrings(settled)) return reject('invalid_params', '`params.context.arguments` must be an object of strings.');
  return { ref: reference, argument: argument['name'], value: argument['value'], settled };
}

function readReference(ref: unknown): Reference | undefined {
  if (!isJsonObject(ref)) return undefined;
  if (ref['type'] === 'ref/prompt' && typeof ref['name'] === 'string') return { type: 'prompt', name: ref['name'] };
  if (ref['type'] === 'ref/resource' && typeof ref['uri'] === 'string') return { type: 'resource', uri: ref['uri'] };
  return undefined;
}

/** The prompt or template; undefined for a fixed resource, which has nothing to complete. */
function findOwner(exchange: Exchange, ref: Reference): PromptEntry | TemplateEntry | undefined | Rejection {
  const { view } = exchange;
  if (ref.type === 'prompt') {
    const prompt = view.find('prompts', ref.name);
    if (prompt && !(prompt instanceof Forbidden)) return prompt;
    return refuseLookup(exchange, prompt, { message: `Unknown prompt: ${ref.name.slice(0, 128)}` });
  }
  const template = view.find('templates', ref.uri);
  if (template && !(template instanceof Forbidden)) return template;
  const fixed = template ?? view.find('resources', ref.uri);
  if (fixed && !(fixed instanceof Forbidden)) return undefined;
  const unknown = { message: 'Unknown resource template.', data: { uri: ref.uri.slice(0, 2048) } };
  return refuseLookup(exchange, fixed, unknown);
}

function findCompleter(owner: PromptEntry | TemplateEntry | undefined, argument: string): Completer | Rejection {
  if (!owner) return NOTHING;
  if (!owner.completers.has(argument))
    return reject('invalid_params', `There is no argument "${argument.slice(0, 128)}" to complete.`);
  return owner.completers.get(argument) ?? NOTHING;
}

function isStrings(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((member) => typeof member === 'string');
}
