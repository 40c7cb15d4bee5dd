import { Forbidden } from '#catalogue/catalogue-view.js';
import { performCall } from '#invocation/perform-call.js';
import { toolError } from '#invocation/results/tool-result.js';
import { andThen } from '#protocol/and-then.js';
import { isRejection, reject } from '#protocol/errors.js';
import { checkParamFields } from '#protocol/envelope/param-fields.js';
import { isJsonObject } from '#protocol/json.js';
import { encodeResponse, encodeResult } from '#protocol/wire/modern.js';
import type { Issue } from '#schema/compile-schema.js';
import { issueText } from '#schema/issue-text.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';
import { depart, readRetry } from './handler-call.js';
import { refuseLookup } from './refuse-lookup.js';
import { toolCall } from './tool-call.js';

const NO_ARGUMENTS = Object.freeze({});

/** `tools/call` (specification: server/tools, "Calling Tools"). */
export function callTool(exchange: Exchange, stages: Stages): Departure | Promise<Departure> {
  const { envelope, fields, view } = exchange;
  const { id, params } = envelope;
  const { name, arguments: args = NO_ARGUMENTS } = params;
  if (typeof name !== 'string') return rejected(reject('invalid_params', '`params.name` must be a string.', { id }));
  const tool = view.find('tools', name);
  if (!tool || tool instanceof Forbidden) {
    return rejected(refuseLookup(exchange, tool, { message: `Unknown tool: ${name.slice(0, 128)}` }));
  }
  if (!isJsonObject(args)) return rejected(reject('invalid_params', '`params.arguments` must be an object.', { id }));
  const mismatch = fields && checkParamFields(fields, tool.headers, args, id);
  if (mismatch) return rejected(mismatch);
  const retry = readRetry(exchange);
  if (retry && isRejection(retry)) return rejected(retry);

  return andThen(tool.input(args), (checked) => {
    if ('issues' in checked) return badArguments(exchange, checked.issues);
    const call = toolCall(exchange, stages, { tool, arguments: args, input: checked.value, retry });
    return andThen(performCall(call, stages.invocation), (outcome) => depart(exchange, stages, call, outcome));
  });
}

/** Bad arguments are told to the model, which can mend them (specification: server/tools, "Error Handling"). */
function badArguments({ envelope, catalogue }: Exchange, issues: readonly Issue[]): Departure {
  const lines = issues.map((issue) => `- ${issueText(issue)}`);
  const body = toolError(`The arguments are not right. Mend these and call again:\n${lines.join('\n')}`);
  return { type: 'message', text: encodeResponse(envelope.id, encodeResult('complete', body, catalogue.serverMeta)) };
}
