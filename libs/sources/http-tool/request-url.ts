import { DefinitionError } from '#catalogue/definition-error.js';
import { expandExpression } from '#catalogue/uri-template-expansion.js';
import { type Expression, parseParts, type TemplatePart, UriTemplateError } from '#catalogue/uri-template-grammar.js';
import { argumentOf, ArgumentError, type Arguments, itemsOf, percentEncode, textOf } from './argument-values.js';
import type { KnownArguments } from './known-arguments.js';

/** The URL of a request: where it goes is fixed, path and query are expanded from the arguments. */
export interface RequestUrl {
  /** Scheme, host and port, in one notation. */
  readonly origin: string;
  /** @throws ArgumentError when an argument would leave its segment */
  path(args: Arguments): string;
}

const AUTHORITY = /^https?:\/\/[^/?#{}\\]+/i;
const PATH_BEGINS = /^(?:$|\/|\?|\{[/?])/;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i;
/** The same in a path that is ready, whose query is still behind it. */
const LEAVES_ITS_SEGMENT = /^[^?]*?\/(?:\.|%2e){1,2}(?=[/?]|$)/i;

/** @throws DefinitionError */
export function compileUrl(text: string, pointer: string, known: KnownArguments): RequestUrl {
  const origin = originOf(text, pointer);
  const parts = partsOf(text, pointer);
  const expand = parts.map((part) =>
    typeof part === 'string' ? part : compileExpression(part.expression, part.inPath),
  );
  for (const part of parts) if (typeof part !== 'string') declare(part, pointer, known);
  const placed = parts.flatMap((part) => (typeof part !== 'string' && part.inPath ? part.expression.variables : []));
  const names = placed.map(({ name }) => name).join('", "');
  return {
    origin,
    path: (args) => {
      let path = '';
      for (const piece of expand) path += typeof piece === 'string' ? piece : piece(args);
      return checkPath(path.startsWith('/') ? path : `/${path}`, names);
    },
  };
}

interface Placed {
  readonly expression: Expression;
  /** Whether it stands before the query. */
  readonly inPath: boolean;
}

function originOf(text: string, pointer: string): string {
  const [authority = ''] = AUTHORITY.exec(text) ?? [];
  if (authority === '' || !URL.canParse(authority)) {
    throw new DefinitionError(
      pointer,
      'this is not an absolute URL with a fixed host.',
      'Write it like https://api.example.com/orders/{id}; variables may stand in path and query alone.',
    );
  }
  if (authority.includes('@'))
    throw new DefinitionError(pointer, 'the URL holds a user or a password.', 'Put them into /credentials.');
  if (!PATH_BEGINS.test(text.slice(authority.length)))
    throw new DefinitionError(pointer, 'a variable could change the host.', 'Put a "/" before it.');
  return new URL(authority).origin;
}

function partsOf(text: string, pointer: string): readonly (string | Placed)[] {
  const path = text.slice(AUTHORITY.exec(text)?.[0].length);
  let inPath = true;
  return parse(path, pointer).map((part) => {
    if (typeof part !== 'string') {
      if (part.operator === '?' || part.operator === '&') inPath = false;
      return { expression: part, inPath };
    }
    if (part.includes('#'))
      throw new DefinitionError(pointer, 'the URL has a fragment, which is never sent.', 'Leave it out.');
    if (inPath && DOT_SEGMENT.test(part.split('?', 1)[0] ?? ''))
      throw new DefinitionError(pointer, 'the path has "." or ".." as a segment.', 'Write the path as it is meant.');
    if (part.includes('?')) inPath = false;
    return part.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  });
}

function parse(path: string, pointer: string): readonly TemplatePart[] {
  try {
    return parseParts(path);
  } catch (error) {
    if (!(error instanceof UriTemplateError)) throw error;
    throw new DefinitionError(pointer, `the URL template is wrong: ${error.message}.`, 'Write it as RFC 6570 says.');
  }
}

function declare({ expression, inPath }: Placed, pointer: string, known: KnownArguments): void {
  const { operator, variables, text } = expression;
  if (operator === '+' || operator === '#')
    throw new DefinitionError(
      pointer,
      `"${text}" would let an argument change path and query.`,
      'Use {name} for one segment and {/name*} for a list of segments.',
    );
  for (const { name } of variables) {
    known.use(name, pointer);
    if (inPath && operator === '') known.mustBeRequired(name, pointer);
  }
}

function compileExpression(expression: Expression, inPath: boolean): (args: Arguments) => string {
  const { operator, variables } = expression;
  const [only] = variables;
  const simple = operator === '' && variables.length === 1 && only?.prefix === undefined && only?.explode === false;
  return (args) => {
    if (inPath) for (const { name } of variables) checkSegments(argumentOf(args, name), name, operator);
    if (simple) {
      const value = argumentOf(args, only.name);
      if (typeof value === 'string' || typeof value === 'number') return percentEncode(textOf(value));
    }
    const entries = variables
      .map(({ name }) => [name, argumentOf(args, name)] as const)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, itemsOf(value)] as const);
    return expandExpression(expression, Object.fromEntries(entries));
  };
}

/** A segment that is empty or only dots names another place than the one that was meant. */
function checkSegments(value: unknown, name: string, operator: string): void {
  const needed = operator === '';
  if (value === undefined || value === null) {
    if (needed) throw new ArgumentError(name, 'is needed: it is part of the address');
    return;
  }
  const items = itemsOf(value);
  const texts: readonly string[] = typeof items === 'string' ? [items] : Object.values(items);
  const isEmpty = operator === '/' ? texts.includes('') : needed && texts.every((text) => text === '');
  if (isEmpty) throw new ArgumentError(name, 'must not be empty: it is part of the address');
  if (texts.some((text) => /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(text)))
    throw new ArgumentError(name, 'must not have "." or ".." as a path segment');
}

/** What arguments make together, or where only their beginnings stand, is seen in the whole path alone. */
function checkPath(path: string, names: string): string {
  if (names !== '' && LEAVES_ITS_SEGMENT.test(path))
    throw new ArgumentError(names, 'must not make "." or ".." of a path segment');
  return path;
}
