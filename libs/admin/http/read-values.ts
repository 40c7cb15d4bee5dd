import type { z } from 'zod';
import { pointerTo } from '#schema/json-pointer.js';
import { Problem, type ProblemError } from './problem.js';

/** How many things that are wrong are told at once. */
const MAX_ERRORS = 20;
const MAX_POINTER = 300;

/** The body as the route takes it. @throws Problem `invalid_body` */
export function readBody(schema: z.ZodType | undefined, body: unknown): unknown {
  if (!schema) {
    if (body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)) return {};
    throw new Problem('invalid_body', 'This takes no body.');
  }
  if (body === undefined) throw new Problem('invalid_body', 'The body is missing: it must be a JSON document.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new Problem('invalid_body', 'The body does not fit, so nothing was changed.', {
    errors: bodyErrors(result.error, ''),
  });
}

/** What is wrong, with pointers. @param prefix where in the body the value stands */
export function bodyErrors(error: z.ZodError, prefix: string): readonly ProblemError[] {
  const errors = error.issues.flatMap((issue) => placesOf(issue).map((path) => ({ path, detail: detailOf(issue) })));
  return errors.slice(0, MAX_ERRORS).map(({ path, detail }) => ({
    pointer: path.reduce<string>((pointer, key) => pointerTo(pointer, String(key)), prefix).slice(0, MAX_POINTER),
    detail,
  }));
}

/** @throws Problem `invalid_request` */
export function readQuery(schema: z.ZodType, query: unknown): unknown {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  const errors = result.error.issues
    .slice(0, MAX_ERRORS)
    .flatMap((issue) =>
      placesOf(issue).map(([name = '']) => ({ parameter: String(name).slice(0, 128), detail: detailOf(issue) })),
    );
  throw new Problem('invalid_request', 'The query is wrong.', { errors });
}

/** What stands in the path; a value that cannot be one names nothing. @throws Problem `not_found` */
export function readParams(schema: z.ZodType | undefined, params: unknown): unknown {
  const result = schema?.safeParse(params);
  if (!result || result.success) return result?.data ?? {};
  throw new Problem('not_found', 'There is no such thing.');
}

function placesOf(issue: z.core.$ZodIssue): readonly PropertyKey[][] {
  if (issue.code !== 'unrecognized_keys') return [issue.path];
  return issue.keys.slice(0, MAX_ERRORS).map((key) => [...issue.path, key]);
}

function detailOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? 'there is no such member here' : issue.message;
}
