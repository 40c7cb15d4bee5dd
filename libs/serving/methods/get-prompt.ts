import { Forbidden } from '#catalogue/catalogue-view.js';
import type { PromptEntry } from '#catalogue/entries.js';
import { performCall } from '#invocation/perform-call.js';
import { toPromptBody } from '#invocation/results/prompt-messages.js';
import { isRejection, reject, type Rejection } from '#protocol/errors.js';
import { isJsonObject } from '#protocol/json.js';
import { issueText } from '#schema/issue-text.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';
import { depart, handlerCall, presentAsError, readRetry } from './handler-call.js';
import { readForCaller } from './read-for-caller.js';
import { refuseLookup } from './refuse-lookup.js';

const NO_ARGUMENTS = Object.freeze({});

/** `prompts/get` (specification: server/prompts, "Getting a Prompt"). */
export async function getPrompt(exchange: Exchange, stages: Stages): Promise<Departure> {
  const { id, params } = exchange.envelope;
  const { name, arguments: args = NO_ARGUMENTS } = params;
  if (typeof name !== 'string') return rejected(reject('invalid_params', '`params.name` must be a string.', { id }));
  const prompt = exchange.view.find('prompts', name);
  if (!prompt || prompt instanceof Forbidden) {
    return rejected(refuseLookup(exchange, prompt, { message: `Unknown prompt: ${name.slice(0, 128)}` }));
  }
  const input = await readArguments(prompt, args);
  if (isRejection(input)) return rejected({ ...input, id });
  const retry = readRetry(exchange);
  if (retry && isRejection(retry)) return rejected(retry);

  const { description } = prompt.definition;
  const call = handlerCall(exchange, stages, {
    method: 'prompts/get',
    name,
    label: prompt.key,
    arguments: args,
    retry,
    timeoutMs: prompt.timeoutMs,
    configuration: exchange.catalogue.configurationOf(prompt.source),
    run: (context) => prompt.handler(input.value, context),
    toResult: (returned) => toPromptBody(returned, typeof description === 'string' ? description : undefined),
    present: presentAsError,
    readResource: (uri, signal) => readForCaller(exchange, stages, { uri, signal }),
  });
  return depart(exchange, stages, call, await performCall(call, stages.invocation));
}

async function readArguments(prompt: PromptEntry, args: unknown): Promise<{ readonly value: unknown } | Rejection> {
  if (!isJsonObject(args) || !Object.values(args).every((value) => typeof value === 'string')) {
    return reject('invalid_params', '`params.arguments` must be an object of strings.');
  }
  if (!prompt.input) return { value: args };
  const checked = await prompt.input(args);
  if (!('issues' in checked)) return checked;
  const told = checked.issues.map(issueText).join('; ');
  return reject('invalid_params', `The arguments are not right: ${told}`);
}
