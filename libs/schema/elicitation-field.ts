import { isJsonObject, type JsonObject, type JsonValue } from '#protocol/json.js';
import { SchemaFault } from './schema-fault.js';

interface Choice {
  readonly const: string;
  readonly title: string;
}

const TEXTS = ['title', 'description'] as const;
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/**
 * One field of a form: a `PrimitiveSchemaDefinition` of the specification's schema. Equivalent spellings, as libraries
 * generate them, become the one that the subset has: `const` a choice of one, `anyOf` of constants a titled choice.
 * @throws SchemaFault for anything else
 */
export function elicitationField(schema: JsonValue, pointer: string): JsonObject {
  if (!isJsonObject(schema)) throw fault(pointer, 'says nothing about its type', 'give it a "type"');
  const field = schema as JsonObject;
  const choice = choiceOf(field, 'oneOf', pointer);
  if (choice !== undefined) return { type: 'string', ...pick(field, [...TEXTS, 'default']), ...choice };
  switch (field['type']) {
    case 'string':
      return withFormat(field, pick(field, ['type', ...TEXTS, 'minLength', 'maxLength', 'default']));
    case 'number':
    case 'integer':
      return pick(field, ['type', ...TEXTS, 'minimum', 'maximum', 'default']);
    case 'boolean':
      return pick(field, ['type', ...TEXTS, 'default']);
    case 'array':
      return choices(field, pointer);
    default:
      throw fault(pointer, `is ${nameOf(field)}`, mendFor(field));
  }
}

function withFormat(field: JsonObject, picked: JsonObject): JsonObject {
  return FORMATS.has(field['format']) ? { ...picked, ...pick(field, ['format']) } : picked;
}

/** A multi-select: an array whose items are a choice. */
function choices(field: JsonObject, pointer: string): JsonObject {
  const items = field['items'];
  const choice = isJsonObject(items) ? choiceOf(items as JsonObject, 'anyOf', `${pointer}/items`) : undefined;
  if (choice === undefined) {
    throw fault(
      pointer,
      'is an array of anything but choices',
      'give "items" an "enum" of strings, or ask for one value',
    );
  }
  const written: JsonObject = choice['enum'] === undefined ? choice : { type: 'string', ...choice };
  return { ...pick(field, ['type', ...TEXTS, 'minItems', 'maxItems', 'default']), items: written };
}

/** The choice that a schema of strings leaves, titled under the given keyword; undefined when it is none. */
function choiceOf(schema: JsonObject, titled: 'oneOf' | 'anyOf', pointer: string): JsonObject | undefined {
  const listed = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']]);
  if (listed !== undefined) return { enum: strings(listed, pointer), ...pick(schema, ['enumNames']) };
  const options = schema['oneOf'] ?? schema['anyOf'];
  if (options === undefined) return undefined;
  const choice = (options as JsonValue[]).map((option) => optionOf(option, pointer));
  return { [titled]: choice.map((option) => ({ ...option })) };
}

function optionOf(option: JsonValue, pointer: string): Choice {
  const { const: value, title = value } = isJsonObject(option) ? option : {};
  if (typeof value === 'string' && typeof title === 'string') return { const: value, title };
  throw fault(
    pointer,
    'has alternatives that are no choice of strings',
    'give each alternative a "const" string and a "title"',
  );
}

function strings(listed: JsonValue, pointer: string): JsonValue[] {
  if (Array.isArray(listed) && listed.length > 0 && listed.every((value) => typeof value === 'string')) return listed;
  throw fault(pointer, 'has choices that are not strings', 'use strings');
}

function pick(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(
    keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]] as const])),
  );
}

function nameOf({ type, $ref, properties }: JsonObject): string {
  if (type === 'object' || properties !== undefined) return 'an object';
  if ($ref !== undefined) return 'a reference';
  return type === undefined ? 'of no type' : `of type ${JSON.stringify(type)}`;
}

function mendFor({ type }: JsonObject): string {
  if (type === 'object') return 'ask for its members one by one';
  if (Array.isArray(type)) return 'give it one type, and leave it out of "required" when it may be absent';
  return 'use a string, number, integer, boolean or choice, written in place';
}

function fault(pointer: string, problem: string, mend: string): SchemaFault {
  const name = pointer.replace(/^\/properties\//, '').replace(/\/items$/, '');
  return new SchemaFault(pointer, `the property ${JSON.stringify(name)} ${problem}`, mend);
}
