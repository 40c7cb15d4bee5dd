import type { ToolOptions } from '#authoring/options.js';
import { compileSchema, type CompiledSchema, type SchemaSource } from '#schema/compile-schema.js';
import { headerParameters } from '#schema/header-parameters.js';
import { SchemaFault } from '#schema/schema-fault.js';
import type { Handler, ToolEntry } from '../entries.js';
import { checkCommon, checkName } from './check-declaration.js';
import type { CompileContext } from './declared-module.js';
import { definition } from './definitions.js';

const NO_ARGUMENTS = { type: 'object', additionalProperties: false } as const;

export function compileTool(
  context: CompileContext,
  method: string,
  options: ToolOptions<SchemaSource, SchemaSource>,
  handler: Handler,
): ToolEntry {
  const { name = method, title, description, annotations, icons, _meta, scopes = [], timeoutMs } = options;
  checkName(context, method, name);
  checkCommon(context, method, options);
  const input = schema(context, method, 'input', options.input ?? NO_ARGUMENTS);
  const output = options.output && schema(context, method, 'output', options.output);
  return {
    key: name,
    source: context.source,
    definition: definition({
      name,
      title,
      description,
      icons,
      inputSchema: input.json,
      outputSchema: output?.json,
      annotations,
      _meta,
    }),
    scopes,
    timeoutMs,
    handler,
    input: input.validate,
    output: output?.validate,
    headers: orFault(context, method, 'input', () => headerParameters(input.json)),
  };
}

/** Compiles a schema; a fault in it names the class and the method. */
export function schema(
  context: CompileContext,
  method: string,
  role: 'input' | 'output',
  source: SchemaSource,
): CompiledSchema {
  return orFault(context, method, role, () => compileSchema(source, { role, limits: context.limits }));
}

function orFault<T>(context: CompileContext, method: string, role: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof SchemaFault) {
      const where = error.pointer === '' ? '' : ` at ${error.pointer}`;
      const problem = `the ${role} schema is wrong${where}: ${error.problem}.`;
      throw context.fault(method, problem, sentence(error.mend), `/${role}${error.pointer}`);
    }
    throw error;
  }
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
