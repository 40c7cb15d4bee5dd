import type { ResourceContext } from '#authoring/context.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { CompiledSource, Completer, Handler, TemplateEntry } from '#catalogue/entries.js';
import { compileResource, compileTemplate } from '#catalogue/modules/compile-resource.js';
import { pointerTo } from '#schema/json-pointer.js';
import { completerOf } from '../completions/completer-of.js';
import type { Arguments } from '../http-tool/argument-values.js';
import { readDefinition } from '../read-definition.js';
import { registeredContext } from '../registered-context.js';
import type { SourceContext } from '../registered-sources.js';
import { sourceOf } from '../source-of.js';
import { fixedContents, sizeOf } from './fixed-contents.js';
import { compileHttpResource, type HttpResource } from './http-resource.js';
import { type ResourceDefinition, resourceDefinition } from './resource-definition.js';
import { templateContents } from './template-contents.js';

/** A registered resource, or resource template (specification: server/resources). @throws DefinitionError */
export function compileResourceSource(context: SourceContext): CompiledSource {
  const definition = readDefinition(resourceDefinition, context.source.definition);
  const { uri, uriTemplate = '' } = definition;
  return uri === undefined ? template(context, definition, uriTemplate) : fixed(context, definition, uri);
}

function fixed(context: SourceContext, definition: ResourceDefinition, uri: string): CompiledSource {
  const { source } = context;
  const http = definition.url === undefined ? undefined : compileHttpResource(definition, context);
  const size = definition.size ?? sizeOf(definition);
  const options = { ...optionsOf(definition, http), uri, ...(size !== undefined && { size }) };
  const handler = context.wrap(http ? httpContents(http) : fixedContents(definition, uri));
  return sourceOf(source, { resources: [compileResource(registeredContext(context), source.name, options, handler)] });
}

function template(context: SourceContext, definition: ResourceDefinition, uriTemplate: string): CompiledSource {
  const { source } = context;
  const declare = (options: object, handler: Handler): TemplateEntry =>
    compileTemplate(registeredContext(context), source.name, { ...options, uriTemplate }, handler);
  const { template: parsed } = declare(optionsOf(definition), unwritten);
  const http = definition.url === undefined ? undefined : compileHttpResource(definition, context);
  const handler = http ? httpContents(http) : templateContents(definition, parsed.variables);
  const entry = declare(optionsOf(definition, http), context.wrap(handler));
  const completers = new Map([...entry.completers, ...completersOf(definition, entry)]);
  return sourceOf(source, { templates: [{ ...entry, completers }] });
}

/** Stands in until the template is known to be good, which the contents go by. */
const unwritten = (): void => undefined;

function httpContents(http: HttpResource): Handler {
  return (input, given) => {
    const { uri, signal } = given as ResourceContext;
    return http.read(typeof input === 'string' ? {} : (input as Arguments), uri, signal);
  };
}

/** What the definition has in common with the declaration of a decorated method. */
function optionsOf(definition: ResourceDefinition, http?: HttpResource) {
  const { uri: _uri, uriTemplate: _template, size: _size, text: _text, blob: _blob, url: _url, ...rest } = definition;
  const { headers: _headers, credentials: _credentials, limits: _limits, ...more } = rest;
  const { completions: _completions, updates: _updates, ...options } = more;
  return { ...options, ...(http && { timeoutMs: http.timeoutMs }) };
}

function completersOf(
  { completions = {} }: ResourceDefinition,
  { completers }: TemplateEntry,
): readonly (readonly [string, Completer])[] {
  return Object.entries(completions).map(([variable, completion]) => {
    const pointer = pointerTo('/completions', variable);
    if (completers.has(variable)) return [variable, completerOf(completion, pointer)] as const;
    const known = [...completers.keys()].join(', ') || 'none';
    throw new DefinitionError(pointer, 'it is no variable of the template.', `There are: ${known}.`);
  });
}
