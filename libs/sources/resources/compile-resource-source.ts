import { DefinitionError } from '#catalogue/definition-error.js';
import type { CompiledSource, Completer, TemplateEntry } from '#catalogue/entries.js';
import { compileResource, compileTemplate } from '#catalogue/modules/compile-resource.js';
import { pointerTo } from '#schema/json-pointer.js';
import { completerOf } from '../completions/completer-of.js';
import { readDefinition } from '../definitions/read-definition.js';
import { registeredContext } from '../registered-context.js';
import type { SourceContext } from '../registered-sources.js';
import { sourceOf } from '../source-of.js';
import { fixedContents, sizeOf } from './fixed-contents.js';
import { type ResourceDefinition, resourceDefinition } from './resource-definition.js';
import { templateContents } from './template-contents.js';

/** A registered resource, or resource template (specification: server/resources). @throws DefinitionError */
export function compileResourceSource(context: SourceContext): CompiledSource {
  const definition = readDefinition(resourceDefinition, context.source.definition);
  const { uri, uriTemplate = '' } = definition;
  return uri === undefined ? template(context, definition, uriTemplate) : fixed(context, definition, uri);
}

/** Stands in until the template is read, and with it the variables that the contents may name. */
const unwritten = (): void => undefined;

function fixed(context: SourceContext, definition: ResourceDefinition, uri: string): CompiledSource {
  const { source } = context;
  const size = definition.size ?? sizeOf(definition);
  const options = { ...optionsOf(definition), uri, ...(size !== undefined && { size }) };
  const handler = context.wrap(fixedContents(definition, uri));
  return sourceOf(source, { resources: [compileResource(registeredContext(context), source.name, options, handler)] });
}

function template(context: SourceContext, definition: ResourceDefinition, uriTemplate: string): CompiledSource {
  const { source } = context;
  const options = { ...optionsOf(definition), uriTemplate };
  const declared = compileTemplate(registeredContext(context), source.name, options, unwritten);
  const entry = { ...declared, handler: context.wrap(templateContents(definition, declared.template.variables)) };
  const completers = new Map([...entry.completers, ...completersOf(definition, entry)]);
  return sourceOf(source, { templates: [{ ...entry, completers }] });
}

/** What the definition has in common with the declaration of a decorated method. */
function optionsOf(definition: ResourceDefinition) {
  const { uri: _uri, uriTemplate: _template, size: _size, text: _text, blob: _blob, ...rest } = definition;
  const { completions: _completions, updates: _updates, ...options } = rest;
  return options;
}

function completersOf(
  { completions = {} }: ResourceDefinition,
  { completers }: TemplateEntry,
): readonly (readonly [string, Completer])[] {
  return Object.entries(completions).map(([variable, completion]) => {
    if (completers.has(variable)) return [variable, completerOf(completion)] as const;
    const known = [...completers.keys()].join(', ') || 'none';
    throw new DefinitionError(
      pointerTo('/completions', variable),
      'it is no variable of the template.',
      `There are: ${known}.`,
    );
  });
}
