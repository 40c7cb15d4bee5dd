import type { ErrorObject } from 'ajv';
import { cut, describeAllowed, describeIssue, describePath, valueAt } from './describe-value.js';
import { tokensOf } from './json-pointer.js';
import { MAX_ISSUES, type Issue } from './validation.js';

interface Finding {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly issue: Issue;
}

type Path = readonly (string | number)[];

const MAX_ALTERNATIVES = 5;
const MAX_ALLOWED = 20;

/** Ajv's errors in words for a model. Those of the branches of an `anyOf` or `oneOf` become one issue that names them all. */
export function ajvIssues(errors: readonly ErrorObject[], value: unknown): readonly Issue[] {
  const findings: Finding[] = [];
  for (const error of errors) {
    const { instancePath, schemaPath, keyword } = error;
    // The branch that was taken has said what is wrong.
    if (keyword === 'if' && findings.length > 0) continue;
    const branches = keyword === 'anyOf' || keyword === 'oneOf' ? takeBranches(findings, error) : [];
    findings.push({
      instancePath,
      schemaPath,
      issue: branches.length > 0 ? alternatives(error, branches, value) : issueOf(error, value),
    });
  }
  const unique = new Map(findings.map(({ issue }) => [`${issue.path}\n${issue.message}`, issue]));
  return [...unique.values()].slice(0, MAX_ISSUES);
}

/**
 * Ajv reports the errors of the branches, then that of the keyword. Paths into a referenced schema begin anew with `#`, so
 * only what plainly stands beside the keyword is told from a branch.
 */
function takeBranches(findings: Finding[], { instancePath, schemaPath }: ErrorObject): Finding[] {
  const beside = schemaPath.slice(0, schemaPath.lastIndexOf('/') + 1);
  const isBranch = (finding: Finding): boolean =>
    `${finding.instancePath}/`.startsWith(`${instancePath}/`) &&
    (finding.schemaPath.startsWith(`${schemaPath}/`) || beside === '#/' || !finding.schemaPath.startsWith(beside));
  return findings.splice(findings.findLastIndex((finding) => !isBranch(finding)) + 1);
}

function alternatives(error: ErrorObject, branches: readonly Finding[], value: unknown): Issue {
  const path = segmentsOf(error.instancePath, value);
  const own = describePath(path);
  const texts = branches.map(({ issue }) =>
    issue.path === own ? withoutGiven(issue.message) : `${issue.path} ${issue.message}`,
  );
  const ways = [...new Set(texts)].slice(0, MAX_ALTERNATIVES);
  const text = ways.length === 1 ? (ways[0] ?? '') : `must fit one alternative: ${ways.join('; or ')}`;
  return { path: own, message: describeIssue(text, valueAt(value, path)) };
}

function withoutGiven(message: string): string {
  return message.replace(/ \(given [^()]*\)$/, '');
}

function issueOf(error: ErrorObject, value: unknown): Issue {
  const container = segmentsOf(error.instancePath, value);
  const member = memberOf(error);
  const path = member === undefined ? container : [...container, member];
  return { path: describePath(path), message: describeIssue(expectation(error), valueAt(value, path)) };
}

/** The property that an error is about, where Ajv puts it at the object. */
function memberOf({ params }: ErrorObject): string | undefined {
  const names = params as Readonly<Record<string, unknown>>;
  const name = names['missingProperty'] ?? names['additionalProperty'] ?? names['unevaluatedProperty'];
  return typeof name === 'string' ? name : undefined;
}

/** What the keyword that failed asks for, as a clause that follows the name of the value. */
export function expectation({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  const details = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a property that is expected here';
    case 'type':
      return `must be ${[details['type']].flat().join(' or ')}`;
    case 'enum':
      return `must be one of ${listOf(details['allowedValues'] as readonly unknown[])}`;
    case 'const':
      return `must be ${describeAllowed(details['allowedValue'])}`;
    case 'false schema':
      return 'must not be given';
    case 'not':
      return 'must not be what the schema excludes';
    case 'propertyNames':
      return `must not have a property called ${cut(JSON.stringify(details['propertyName']), 40)}`;
    default:
      return message;
  }
}

function listOf(allowed: readonly unknown[]): string {
  const shown = allowed.slice(0, MAX_ALLOWED).map(describeAllowed).join(', ');
  return allowed.length > MAX_ALLOWED ? `${shown}, … (${allowed.length} in all)` : shown;
}

/** A JSON pointer as path segments; whether a token is an index shows only in the value. */
function segmentsOf(pointer: string, value: unknown): Path {
  const segments: (string | number)[] = [];
  for (const token of tokensOf(pointer)) {
    segments.push(Array.isArray(valueAt(value, segments)) && /^\d+$/.test(token) ? Number(token) : token);
  }
  return segments;
}
