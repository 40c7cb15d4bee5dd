import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describeIssue, describePath, valueAt } from './describe-value.js';
import { isStackOverflow, TOO_DEEP } from './stack-overflow.js';
import { MAX_ISSUES, type Issue, type Validation, type Validator } from './validation.js';

/** Validates by a Standard Schema's own `validate`, so that its defaults and transforms apply. */
export function standardValidator(schema: StandardSchemaV1.Props): Validator {
  return (value) => {
    try {
      const result = schema.validate(value);
      return 'then' in result ? settle(result, value) : validationOf(result, value);
    } catch (error) {
      return tooDeepOrThrow(error);
    }
  };
}

async function settle(result: Promise<StandardSchemaV1.Result<unknown>>, value: unknown): Promise<Validation> {
  try {
    return validationOf(await result, value);
  } catch (error) {
    return tooDeepOrThrow(error);
  }
}

function tooDeepOrThrow(error: unknown): Validation {
  if (isStackOverflow(error)) return TOO_DEEP;
  throw error;
}

function validationOf(result: StandardSchemaV1.Result<unknown>, value: unknown): Validation {
  if (result.issues === undefined) return { value: result.value };
  return { issues: result.issues.slice(0, MAX_ISSUES).map((issue) => issueOf(issue, value)) };
}

function issueOf({ message, path = [] }: StandardSchemaV1.Issue, value: unknown): Issue {
  const segments = path.map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'symbol' ? String(key) : key;
  });
  return { path: describePath(segments), message: describeIssue(message, valueAt(value, segments)) };
}
