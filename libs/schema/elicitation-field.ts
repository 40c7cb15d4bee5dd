import { isJsonObject, type JsonObject, type JsonValue } from '#protocol/json.js';
import { pointerTo } from './json-pointer.js';
import { SchemaFault } from './schema-fault.js';

const TEXTS = ['title', 'description'] as const;
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/**
 * One field of a form: a `PrimitiveSchemaDefinition` of the specification's schema. Equivalent spellings, as libraries
 * generate them, become the one that the subset has: `const` a choice of one, `anyOf` of constants a titled choice.
 * @throws SchemaFault for anything else
 */
export function elicitationField(name: string, schema: JsonValue): JsonObject {
  const reader = new FieldReader(name);
  const field = reader.read(schema);
  reader.checkDefault(field);
  return field;
}

class FieldReader {
  constructor(private readonly name: string) {}

  read(schema: JsonValue): JsonObject {
    if (!isJsonObject(schema)) throw this.fault('says nothing about its type', 'give it a "type"');
    const choice = this.choice(schema, 'oneOf');
    if (choice !== undefined) return { type: 'string', ...pick(schema, [...TEXTS, 'enumNames', 'default']), ...choice };
    switch (schema['type']) {
      case 'string':
        return withFormat(schema, pick(schema, ['type', ...TEXTS, 'minLength', 'maxLength', 'default']));
      case 'number':
      case 'integer':
        return pick(schema, ['type', ...TEXTS, 'minimum', 'maximum', 'default']);
      case 'boolean':
        return pick(schema, ['type', ...TEXTS, 'default']);
      case 'array':
        return this.multiSelect(schema);
      default:
        throw this.fault(`is ${nameOf(schema)}`, mendFor(schema));
    }
  }

  checkDefault(field: JsonObject): void {
    const given = field['default'];
    const expected = field['type'] === 'integer' ? 'number' : field['type'];
    const fits = Array.isArray(given) ? expected === 'array' && given.every(isString) : typeof given === expected;
    if (given !== undefined && !fits)
      throw this.fault('has a default of another type', 'give a default of its own type');
  }

  private multiSelect(schema: JsonObject): JsonObject {
    const items = schema['items'];
    const choice = isJsonObject(items) ? this.choice(items, 'anyOf') : undefined;
    if (choice === undefined) {
      throw this.fault(
        'is an array of anything but choices',
        'give "items" an "enum" of strings, or ask for one value',
      );
    }
    const written: JsonObject = choice['enum'] === undefined ? choice : { type: 'string', ...choice };
    return { ...pick(schema, ['type', ...TEXTS, 'minItems', 'maxItems', 'default']), items: written };
  }

  /** The choice between strings that a schema leaves, titled under the given keyword; undefined when it is no choice. */
  private choice(schema: JsonObject, titled: 'oneOf' | 'anyOf'): JsonObject | undefined {
    const listed = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']]);
    if (listed !== undefined) return { enum: this.strings(listed) };
    const options = schema['oneOf'] ?? schema['anyOf'];
    return Array.isArray(options) ? { [titled]: options.map((option) => this.option(option)) } : undefined;
  }

  private option(option: JsonValue): JsonObject {
    const { const: value, title = value } = isJsonObject(option) ? option : {};
    if (isString(value) && isString(title)) return { const: value, title };
    throw this.fault('has alternatives that are no choice of strings', 'give each a "const" string and a "title"');
  }

  private strings(listed: JsonValue): JsonValue[] {
    if (Array.isArray(listed) && listed.length > 0 && listed.every(isString)) return listed;
    throw this.fault('has choices that are not strings', 'use strings');
  }

  private fault(problem: string, mend: string): SchemaFault {
    return new SchemaFault(
      pointerTo('/properties', this.name),
      `the property ${JSON.stringify(this.name)} ${problem}`,
      mend,
    );
  }
}

function isString(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

function withFormat(schema: JsonObject, picked: JsonObject): JsonObject {
  return FORMATS.has(schema['format']) ? { ...picked, ...pick(schema, ['format']) } : picked;
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
