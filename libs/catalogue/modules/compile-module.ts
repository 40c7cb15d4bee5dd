import type { CompleteOptions } from '#authoring/options.js';
import { compileSchema, type CompiledSchema } from '#schema/compile-schema.js';
import { SchemaFault } from '#schema/schema-fault.js';
import type { SchemaLimits } from '#schema/schema-limits.js';
import { DeclarationError } from '../declaration-error.js';
import type { CompiledModule, Completer, PromptEntry, ResourceEntry, TemplateEntry, ToolEntry } from '../entries.js';
import { compilePrompt } from './compile-prompt.js';
import { compileResource, compileTemplate } from './compile-resource.js';
import { compileTool } from './compile-tool.js';
import { compileContext, type CompileContext, type DeclaredMethod, type DeclaredModule } from './declared-module.js';

const MODULE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

interface Draft {
  readonly tools: ToolEntry[];
  readonly resources: ResourceEntry[];
  readonly templates: TemplateEntry[];
  readonly prompts: PromptEntry[];
}

/**
 * Compiles a decorated class: schemas, templates and completions are checked and made ready, once, at boot.
 * @throws DeclarationError
 */
export function compileModule(declared: DeclaredModule, limits: SchemaLimits): CompiledModule {
  const { name, title, instructions } = declared.options;
  if (!MODULE_NAME.test(name)) {
    throw new DeclarationError(
      { type: declared.type },
      `the module name "${name}" is not allowed.`,
      'Use 1 to 63 of a-z, 0-9 and "-", not at the ends.',
    );
  }
  const context = compileContext(declared, limits);
  const entries: Draft = { tools: [], resources: [], templates: [], prompts: [] };
  const owners = new Map<string, string>();
  for (const method of declared.methods) {
    const id = add(context, entries, method);
    if (id === undefined) continue;
    const owner = owners.get(id);
    if (owner !== undefined) {
      throw context.fault(
        method.method,
        `the ${id} is declared by ${declared.type}.${owner} already.`,
        'Give one of them another name.',
      );
    }
    owners.set(id, method.method);
  }
  for (const method of declared.methods) {
    if (method.declaration.kind === 'complete') complete(context, entries, method, method.declaration.options);
  }
  return { name, title, instructions, entries, configuration: configurationOf(declared, limits) };
}

function configurationOf({ type, options }: DeclaredModule, limits: SchemaLimits): CompiledSchema | undefined {
  if (!options.configuration) return undefined;
  try {
    return compileSchema(options.configuration, { role: 'input', limits });
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    throw new DeclarationError({ type }, `the schema of its configuration is wrong. ${error.message}`, '');
  }
}

/** Compiles one method into the draft. Returns what must be unique about it. */
function add(
  context: CompileContext,
  draft: Draft,
  { method, declaration, handler }: DeclaredMethod,
): string | undefined {
  switch (declaration.kind) {
    case 'tool':
      return push(draft.tools, 'tool', compileTool(context, method, declaration.options, handler));
    case 'resource':
      return push(draft.resources, 'resource', compileResource(context, method, declaration.options, handler));
    case 'template':
      return push(draft.templates, 'resource template', compileTemplate(context, method, declaration.options, handler));
    case 'prompt':
      return push(draft.prompts, 'prompt', compilePrompt(context, method, declaration.options, handler));
    case 'complete':
      return undefined;
  }
}

function push<E extends { readonly key: string }>(into: E[], kind: string, entry: E): string {
  into.push(entry);
  return `${kind} "${entry.key}"`;
}

function complete(
  context: CompileContext,
  draft: Draft,
  { method, handler }: DeclaredMethod,
  options: CompleteOptions,
): void {
  const [what, key, owner] =
    'prompt' in options
      ? (['prompt', options.prompt, draft.prompts.find((prompt) => prompt.key === options.prompt)] as const)
      : ([
          'resource template',
          options.resourceTemplate,
          draft.templates.find((template) => template.key === options.resourceTemplate),
        ] as const);
  if (!owner)
    throw context.fault(
      method,
      `it completes the ${what} "${key}", which ${context.type} does not declare.`,
      `Name a ${what} of the same class.`,
    );
  if (!owner.completers.has(options.argument)) {
    const known = [...owner.completers.keys()].join(', ') || 'none';
    throw context.fault(method, `the ${what} "${key}" has no argument "${options.argument}".`, `It has: ${known}.`);
  }
  (owner.completers as Map<string, Completer | undefined>).set(options.argument, handler);
}
