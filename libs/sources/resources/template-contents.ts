import type { Handler } from '#catalogue/entries.js';
import type { TemplateValue, TemplateValues } from '#catalogue/uri-template.js';
import { lengthLimit } from '../templates/length-limit.js';
import { templateAt } from '../templates/template-at.js';
import type { ResourceDefinition } from './resource-definition.js';

/** Answers a text with the variables of the URI put in. @throws DefinitionError */
export function templateContents(
  { text = '' }: Pick<ResourceDefinition, 'text'>,
  variables: readonly string[],
): Handler {
  const names = new Set(variables.filter(canBeNamed));
  const template = templateAt('/text', text, names);
  return (values) => template.render(asTexts(values as TemplateValues), lengthLimit());
}

/** In a text template a dot leads into a value, and some names mean something to JavaScript. */
function canBeNamed(variable: string): boolean {
  return !variable.includes('.') && !(variable in {});
}

function asTexts(values: TemplateValues): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]));
}

/** Lists and pairs as RFC 6570 writes them where they are not exploded, but not encoded. */
function asText(value: TemplateValue): string {
  if (typeof value === 'string') return value;
  return (Array.isArray(value) ? value : Object.entries(value).flat()).join(',');
}
