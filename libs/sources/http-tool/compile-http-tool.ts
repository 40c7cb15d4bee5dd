import { DefinitionError } from '#catalogue/definition-error.js';
import type { ToolOptions } from '#authoring/options.js';
import { ShownError } from '#authoring/shown-error.js';
import type { CompiledSource } from '#catalogue/entries.js';
import { compileTool } from '#catalogue/modules/compile-tool.js';
import { andThen } from '#protocol/and-then.js';
import type { JsonObject } from '#protocol/json.js';
import type { Validator } from '#schema/compile-schema.js';
import { issueText } from '#schema/issue-text.js';
import { readDefinition } from '../read-definition.js';
import { registeredContext } from '../registered-context.js';
import type { SourceContext } from '../registered-sources.js';
import { compileCredentials } from './credentials.js';
import { type HttpToolDefinition, httpToolDefinition } from './http-tool-definition.js';
import { httpToolHandler } from './http-tool-handler.js';
import { KnownArguments } from './known-arguments.js';
import { compileRequest } from './tool-request.js';
import { compileResponse } from './tool-response.js';

/** Compiles an HTTP tool: one tool that calls a service. @throws DefinitionError */
export function compileHttpTool(context: SourceContext): CompiledSource {
  const { source, outbound } = context;
  const definition = readDefinition(httpToolDefinition, source.definition);
  const { request, credentials, response, limits, name = source.name, ...described } = definition;
  checkReading(definition);
  const state = context.upstreams.of(context, limits);
  const handler = httpToolHandler({
    write: compileRequest(request, new KnownArguments(definition.input), outbound),
    present: compileCredentials(credentials, context, state),
    read: compileResponse(response, { maxSize: limits.maxBytes, structured: definition.output !== undefined }),
    limits,
    state,
    outbound,
  });
  const { timeoutMs } = limits;
  const options = { ...described, name, timeoutMs } as ToolOptions<JsonObject, JsonObject>;
  const tool = compileTool(registeredContext(context), source.name, options, context.wrap(handler));
  const entries = {
    tools: [{ ...tool, output: tool.output && explained(tool.output) }],
    resources: [],
    templates: [],
    prompts: [],
  };
  return { name: source.name, title: definition.title, instructions: undefined, entries };
}

/** Only JSON has what an output schema or an expression asks for: with any other reading no call would succeed. */
function checkReading({ response: { as, expression }, output }: HttpToolDefinition): void {
  if (as === 'auto' || as === 'json' || (output === undefined && expression === undefined)) return;
  const reason = output === undefined ? 'an expression' : 'an output schema';
  throw new DefinitionError('/response/as', `with ${reason} the body is read as JSON.`, 'Leave it out, or say "json".');
}

/** Tells the model what the service got wrong: nobody here can look it up in a log. */
function explained(validate: Validator): Validator {
  return (value) =>
    andThen(validate(value), (checked) => {
      if (!('issues' in checked)) return checked;
      const lines = checked.issues.map((issue) => `- ${issueText(issue)}`);
      throw new ShownError(`The service answered, but not as this tool's output schema says:\n${lines.join('\n')}`);
    });
}
