import { hash } from 'node:crypto';
import type { JsonObject } from '#protocol/json.js';
import { metaSchemaOf } from './ajv-instances.js';
import { expectation } from './ajv-issues.js';
import { AjvValidator } from './ajv-validator.js';
import { BoundedCache } from './bounded-cache.js';
import { isRecursive, refuseEndlessReferences } from './schema-cycles.js';
import { dialectOf, type Dialect } from './schema-dialect.js';
import { SchemaFault } from './schema-fault.js';
import type { SchemaLimits } from './schema-limits.js';
import { readSource, standardValidation, type SchemaRole, type SchemaSource } from './schema-source.js';
import { surveySchema, type Survey } from './schema-survey.js';
import { standardValidator } from './standard-validator.js';
import type { Place } from './subschemas.js';
import { validationForm } from './validation-form.js';
import type { Validator } from './validation.js';

export type { PlainSchema, SchemaRole, SchemaSource } from './schema-source.js';
export type { Issue, Validation, Validator } from './validation.js';

/** A schema that has been found good, ready to be listed and to validate. */
export interface CompiledSchema {
  /** What clients are shown: what the author gave, every keyword in its place; of a Standard Schema its JSON Schema in 2020-12. */
  readonly json: JsonObject;
  readonly validate: Validator;
}

/** By dialect, limits and text; the weight is the length of the text. One that has validated holds about 16 KB, twice that after a failure. */
const compiled = new BoundedCache<Validator>({ entries: 2000, weight: 32 * 1024 * 1024 });

/** Beyond these sizes validation runs under the time limit, which costs less than it does itself. */
const MANY_SUBSCHEMAS = 200;
const MANY_REFERENCES = 20;

/**
 * Checks a schema and makes it ready: what is listed to clients and what validates (specification: basic, "JSON Schema
 * Usage"). Dialects are 2020-12 (the default), 2019-09 and draft-07. References must resolve inside the document; nothing
 * is fetched. A Standard Schema validates by its own `validate`, everything else by Ajv, which does not change values.
 * @throws SchemaFault when the schema is not one, is past the limits, or, as input, does not describe an object
 */
export function compileSchema(
  source: SchemaSource,
  { role, limits }: { readonly role: SchemaRole; readonly limits: SchemaLimits },
): CompiledSchema {
  const { json, text } = readSource(source, role, limits);
  if (role === 'input' && json['type'] !== 'object') {
    throw new SchemaFault('', 'the input schema does not describe an object', 'set "type" to "object"');
  }
  const validate = checked(json, text, limits);
  const standard = standardValidation(source);
  return { json, validate: standard === undefined ? validate : standardValidator(standard) };
}

/** The validator of a schema that passed every check, from the cache where the same text was checked before. */
function checked(json: JsonObject, text: string, limits: SchemaLimits): Validator {
  const dialect = dialectOf(json);
  const key = `${dialect} ${limits.depth} ${limits.subschemas} ${hash('sha256', text, 'base64')}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  // A copy of its own, since the other one is handed out.
  const validate = check(JSON.parse(text) as JsonObject, dialect, limits);
  compiled.set(key, validate, text.length);
  return validate;
}

function check(json: JsonObject, dialect: Dialect, limits: SchemaLimits): Validator {
  const survey = surveySchema(json, dialect, limits);
  refuseInvalid({ schema: json, pointer: '' }, dialect);
  for (const place of survey.outlying) refuseInvalid(place, dialect);
  refuseEndlessReferences(survey);
  const validator = new AjvValidator({ form: validationForm(survey), dialect, timed: mayTakeLong(survey) });
  return (value) => validator.validate(value);
}

function refuseInvalid({ schema, pointer }: Pick<Place, 'schema' | 'pointer'>, dialect: Dialect): void {
  const metaSchema = metaSchemaOf(dialect);
  if (metaSchema(schema)) return;
  const [first, ...others] = metaSchema.errors ?? [];
  // Where alternatives failed, the one that got furthest into the schema tells most.
  const deepest = others.reduce(
    (best, error) => (error.instancePath.length > (best?.instancePath.length ?? 0) ? error : best),
    first,
  );
  throw new SchemaFault(
    pointer + (deepest?.instancePath ?? ''),
    `the schema is not valid in JSON Schema ${dialect}`,
    `what stands there ${deepest === undefined ? 'must be valid' : expectation(deepest)}`,
  );
}

/**
 * True when the time of a validation is not plainly bounded by the sizes of schema and value: patterns that backtrack,
 * recursion (each level may double the work), `uniqueItems` (compares all with all), and schemas that are just large.
 */
function mayTakeLong(survey: Survey): boolean {
  return (
    survey.slowPattern ||
    survey.subschemas > MANY_SUBSCHEMAS ||
    survey.references.size > MANY_REFERENCES ||
    [...survey.places.keys()].some((schema) => schema['uniqueItems'] === true) ||
    isRecursive(survey)
  );
}
