import type { PromptOptions } from '#authoring/options.js';
import { isJsonObject, type JsonObject } from '#protocol/json.js';
import type { SchemaSource } from '#schema/compile-schema.js';
import { pointerTo } from '#schema/json-pointer.js';
import type { Completer, Handler, PromptEntry } from '../entries.js';
import { checkCommon, checkName } from './check-declaration.js';
import { schema } from './compile-tool.js';
import type { CompileContext } from './declared-module.js';
import { definition } from './definitions.js';

interface Argument {
  readonly name: string;
  readonly shape: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

export function compilePrompt(
  context: CompileContext,
  method: string,
  options: PromptOptions<SchemaSource>,
  handler: Handler,
): PromptEntry {
  const { name = method, title, description, icons, _meta, scopes = [], timeoutMs } = options;
  checkName(context, method, name);
  checkCommon(context, method, options);
  const input = options.input && schema(context, method, 'input', options.input);
  const args = input ? readArguments(context, method, input.json) : [];
  return {
    key: name,
    source: context.source,
    definition: definition({
      name,
      title,
      description,
      icons,
      arguments: args.length === 0 ? undefined : args.map(list),
      _meta,
    }),
    scopes,
    timeoutMs,
    handler,
    input: input?.validate,
    completers: new Map<string, Completer | undefined>(
      args.map(({ name: argument, shape }) => [argument, fixedValues(shape)]),
    ),
  };
}

/** The schema's properties become the prompt's arguments, which are strings on the wire. */
function readArguments(context: CompileContext, method: string, json: JsonObject): readonly Argument[] {
  const properties = isJsonObject(json['properties']) ? json['properties'] : {};
  const required = Array.isArray(json['required']) ? json['required'] : [];
  return Object.entries(properties).map(([name, shape]) => {
    if (!isJsonObject(shape) || (shape['type'] !== 'string' && !Array.isArray(shape['enum']))) {
      throw context.fault(
        method,
        `the argument "${name}" is not a string.`,
        'Prompt arguments are strings: use type "string" or an enum of strings.',
        pointerTo('/input/properties', name),
      );
    }
    return { name, shape, required: required.includes(name) };
  });
}

function list({ name, shape, required }: Argument): object {
  const { title, description } = shape;
  return { name, title, description, required };
}

/** An enum completes itself. */
function fixedValues(shape: Argument['shape']): readonly string[] | undefined {
  const values = shape['enum'];
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : undefined;
}
