import type { JsonObject } from '#protocol/json.js';
import { SchemaFault } from './schema-fault.js';
import type { Survey } from './schema-survey.js';
import { childrenOf } from './subschemas.js';

/** Keywords that apply a schema to the very value that their own schema is applied to. */
const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords that only keep schemas for references to point to. */
const KEPT: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/**
 * Refuses a schema whose references come back to where they began without going into a property or an item: no
 * validation with it would ever end (2020-12 core, section 9.4.1).
 * @throws SchemaFault
 */
export function refuseEndlessReferences(survey: Survey): void {
  const endless = cycleIn(survey, (keyword) => IN_PLACE.has(keyword));
  if (endless === undefined) return;
  const pointer = survey.places.get(endless)?.pointer ?? '';
  throw new SchemaFault(
    pointer,
    'the references lead back to this schema for the same value, without end',
    'let a reference lead into a property or an item first',
  );
}

/** True when some value may be validated to any depth: the schema refers to itself further down. */
export function isRecursive(survey: Survey): boolean {
  return cycleIn(survey, (keyword) => !KEPT.has(keyword)) !== undefined;
}

/** A schema from which the chosen keywords and the references lead back to it, found depth first with a stack of its own. */
function cycleIn(survey: Survey, follows: (keyword: string) => boolean): JsonObject | undefined {
  const done = new Set<JsonObject>();
  const open = new Set<JsonObject>();
  const stack = [...survey.places.keys()];
  for (let schema = stack.at(-1); schema !== undefined; schema = stack.at(-1)) {
    if (done.has(schema) || open.has(schema)) {
      open.delete(schema);
      done.add(schema);
      stack.pop();
      continue;
    }
    open.add(schema);
    for (const next of nextOf(survey, schema, follows)) {
      if (open.has(next)) return next;
      if (!done.has(next)) stack.push(next);
    }
  }
  return undefined;
}

function nextOf(survey: Survey, schema: JsonObject, follows: (keyword: string) => boolean): JsonObject[] {
  const below = childrenOf(schema)
    .filter(({ keyword }) => follows(keyword))
    .map((child) => child.schema);
  return [...below, ...(survey.references.get(schema) ?? [])].filter((next) => typeof next !== 'boolean');
}
