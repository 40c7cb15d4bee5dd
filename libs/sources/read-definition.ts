import { z } from 'zod';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { JsonObject } from '#protocol/json.js';
import { pointerTo } from '#schema/json-pointer.js';

/** The schema of an object that refuses members it does not know, and says which it does. */
export function strictMembers<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownMembers(issue.keys, Object.keys(shape)) : undefined),
  });
}

/**
 * Reads a definition strictly.
 * @throws DefinitionError for the first fault, with its pointer
 */
export function readDefinition<T extends z.ZodType>(schema: T, definition: JsonObject): z.output<T> {
  const read = schema.safeParse(definition);
  if (read.success) return read.data;
  // A member that is not known may be the one that is missing, spelled wrong.
  const first = read.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? read.error.issues[0];
  if (!first) throw new DefinitionError('', 'the definition is wrong.', 'See the documentation of its kind.');
  const { path, message } = deepest(first);
  const unknown = first.code === 'unrecognized_keys' ? first.keys.slice(0, 1) : [];
  const pointer = [...path, ...unknown].reduce<string>((parent, token) => pointerTo(parent, String(token)), '');
  const [problem = '', mend] = message.split('\n');
  throw new DefinitionError(pointer, `${lowerFirst(problem)}.`, mend ?? 'Mend it and try again.');
}

/** Of alternatives that all failed, the issue that got furthest tells most. */
function deepest(issue: z.core.$ZodIssue): { readonly path: readonly PropertyKey[]; readonly message: string } {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const inner = issue.errors
    .flat()
    .map((one) => deepest(one))
    .reduce((best, one) => (one.path.length > best.path.length ? one : best));
  return inner.path.length === 0 ? issue : { path: [...issue.path, ...inner.path], message: inner.message };
}

function unknownMembers(unknown: readonly string[], known: readonly string[]): string {
  const names = unknown.map((name) => `"${name.slice(0, 64)}"`).join(', ');
  return `${names} is not known here\nKnown are: ${known.join(', ')}.`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
