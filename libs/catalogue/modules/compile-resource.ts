import type { ResourceOptions, ResourceTemplateOptions } from '#authoring/options.js';
import type { Caching, Completer, Handler, ResourceEntry, TemplateEntry } from '../entries.js';
import { parseUriTemplate, type UriTemplate } from '../uri-template.js';
import { checkCommon, checkName, checkUri } from './check-declaration.js';
import type { CompileContext } from './declared-module.js';
import { definition } from './definitions.js';

export function compileResource(
  context: CompileContext,
  method: string,
  options: ResourceOptions,
  handler: Handler,
): ResourceEntry {
  checkUri(context, method, options.uri);
  return { ...readable(context, method, options, handler), key: options.uri };
}

export function compileTemplate(
  context: CompileContext,
  method: string,
  options: ResourceTemplateOptions,
  handler: Handler,
): TemplateEntry {
  const template = parse(context, method, options.uriTemplate);
  return {
    ...readable(context, method, options, handler),
    key: options.uriTemplate,
    template,
    completers: new Map<string, Completer | undefined>(template.variables.map((variable) => [variable, undefined])),
  };
}

function parse(context: CompileContext, method: string, text: string): UriTemplate {
  try {
    return parseUriTemplate(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw context.fault(
      method,
      `the URI template is wrong: ${reason}.`,
      'Write it after RFC 6570, like "notes://{day}".',
      '/uriTemplate',
    );
  }
}

function readable(
  context: CompileContext,
  method: string,
  options: ResourceOptions | ResourceTemplateOptions,
  handler: Handler,
): Omit<ResourceEntry, 'key'> {
  const { name = method, scopes = [], timeoutMs, mimeType, ttlMs = 0, cacheScope = 'private' } = options;
  checkName(context, method, name);
  checkCommon(context, method, options);
  const { title, description, icons, annotations, _meta } = options;
  const address = 'uri' in options ? { uri: options.uri } : { uriTemplate: options.uriTemplate };
  const size = 'uri' in options ? options.size : undefined;
  const caching: Caching = { ttlMs, cacheScope };
  return {
    source: context.source,
    definition: definition({ ...address, name, title, description, icons, mimeType, size, annotations, _meta }),
    scopes,
    timeoutMs,
    handler,
    mimeType,
    caching,
  };
}
