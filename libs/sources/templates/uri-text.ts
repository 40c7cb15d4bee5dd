import { isUri } from '#catalogue/modules/check-declaration.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import { templateAt } from './template-at.js';
import type { TextTemplate } from './text-template.js';

/**
 * A URI with placeholders at this place of a definition. Values are percent-encoded whole (RFC 3986 section 2.1), so that
 * none of them can add to the path or the query.
 * @throws DefinitionError
 */
export function uriTextAt(pointer: string, text: string, names: ReadonlySet<string>): TextTemplate {
  const template = templateAt(pointer, text, names);
  const render: TextTemplate['render'] = (values, write) => template.render(values, (value) => encoded(write(value)));
  const example = Object.fromEntries([...names].map((name) => [name, 'x']));
  if (isUri(render(example, (value) => value))) return { render };
  throw new DefinitionError(pointer, 'it is not an absolute URI.', 'Write it like "notes://today".');
}

function encoded(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
