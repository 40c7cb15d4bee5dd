import type { z } from 'zod';
import { DefinitionError } from '#catalogue/definition-error.js';
import { pointerTo } from '#schema/json-pointer.js';

type Issue = z.core.$ZodIssue;

/**
 * Reads what somebody registered. The first fault is told.
 * @throws DefinitionError
 */
export function readDefinition<S extends z.ZodType>(schema: S, definition: unknown): z.output<S> {
  const read = schema.safeParse(definition);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw issue ? definitionError(issue) : new DefinitionError('', 'the definition is wrong.', 'See the documentation.');
}

function definitionError(issue: Issue): DefinitionError {
  const pointer = issue.path.map(String).reduce(pointerTo, '');
  switch (issue.code) {
    case 'unrecognized_keys': {
      const [key = ''] = issue.keys;
      return new DefinitionError(pointerTo(pointer, key), 'there is no such member.', issue.message);
    }
    case 'invalid_type':
      return new DefinitionError(pointer, ...typeFault(issue));
    case 'invalid_value':
      return new DefinitionError(
        pointer,
        'the value is not known.',
        `Use one of: ${issue.values.map(String).join(', ')}.`,
      );
    case 'invalid_union':
      return new DefinitionError(pointer, 'the value is not known.', `Use one of: ${optionsOf(issue)}.`);
    case 'too_big':
      return new DefinitionError(pointer, `it is over the limit.`, `At most ${issue.maximum} ${unitOf(issue.origin)}.`);
    case 'too_small':
      return new DefinitionError(pointer, `it is too little.`, `At least ${issue.minimum} ${unitOf(issue.origin)}.`);
    default:
      return new DefinitionError(pointer, 'the value is not right.', `${issue.message}.`);
  }
}

function typeFault({ message, expected }: Extract<Issue, { code: 'invalid_type' }>): [problem: string, mend: string] {
  if (message.endsWith('received undefined')) return ['it is missing.', `Give ${named(expected)}.`];
  return [`it is not ${named(expected)}.`, `Give ${named(expected)}.`];
}

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  int: 'a whole number',
  boolean: 'true or false',
};

function named(type: string): string {
  return NAMES[type] ?? `a ${type}`;
}

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items', record: 'members' };

function unitOf(origin: string): string {
  return UNITS[origin] ?? '';
}

function optionsOf(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const { options } = issue as { readonly options?: readonly unknown[] };
  return (options ?? []).map(String).join(', ');
}
