import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '#protocol/json.js';
import { BoundedCache } from './bounded-cache.js';
import { compileSchema, type CompiledSchema, type SchemaSource } from './compile-schema.js';
import { elicitationField } from './elicitation-field.js';
import { pointerTo } from './json-pointer.js';
import { SchemaFault } from './schema-fault.js';
import { DEFAULT_SCHEMA_LIMITS } from './schema-limits.js';

/** Forms that were written lately, by the text of the schema they were written from. */
const forms = new BoundedCache<string>({ entries: 1000, weight: 4 * 1024 * 1024 });

/** Root keywords that a form is made from, or that say nothing about it. */
const EXPECTED: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'examples',
  'default',
  'additionalProperties',
  'unevaluatedProperties',
]);

/** With a schema of their own, these ask for properties that have no names. */
const OPEN: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/**
 * The schema of a form for the user (specification: client/elicitation, "Requested Schema"): a flat object of strings,
 * numbers, booleans and choices. `json` is what is sent; what the subset has no word for (`pattern`, `exclusiveMinimum`,
 * formats other than `email`, `uri`, `date` and `date-time`) is left out of it, and still holds when the answer is
 * validated, for `validate` goes by the whole schema.
 * @throws SchemaFault naming the property that a form cannot ask for, and as `compileSchema` does
 */
export function elicitationSchema(source: SchemaSource): CompiledSchema {
  const { json, validate } = compileSchema(source, { role: 'input', limits: DEFAULT_SCHEMA_LIMITS });
  const key = hash('sha256', JSON.stringify(json), 'base64');
  const known = forms.get(key);
  if (known !== undefined) return { json: JSON.parse(known) as JsonObject, validate };
  const form = formOf(json);
  const text = JSON.stringify(form);
  forms.set(key, text, text.length);
  return { json: form, validate };
}

function formOf(json: JsonObject): JsonObject {
  const { properties = {}, required } = json;
  refuseOthers(json);
  const fields = Object.entries(properties as JsonObject).map(
    ([name, schema]) => [name, elicitationField(name, schema)] as const,
  );
  const names = fields.map(([name]) => name);
  const needed = (required as readonly string[] | undefined)?.filter((name) => names.includes(name)) ?? [];
  const form: JsonObject = { type: 'object', properties: Object.fromEntries(fields) };
  return needed.length > 0 ? { ...form, required: needed } : form;
}

/** Whatever else the root says would hold for the answer and could not be seen in the form. */
function refuseOthers(json: JsonObject): void {
  for (const [keyword, value] of Object.entries(json)) {
    const isFree = OPEN.has(keyword) && isJsonObject(value) && Object.keys(value).length > 0;
    if (!isFree && (EXPECTED.has(keyword) || keyword.startsWith('x-'))) continue;
    throw new SchemaFault(
      pointerTo('', keyword),
      `a form cannot express ${JSON.stringify(keyword)}`,
      'describe a flat object with "properties" and "required" only',
    );
  }
}
