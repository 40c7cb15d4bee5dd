import { compile, isRegistered } from '@jmespath-community/jmespath';
import { DefinitionError } from '#catalogue/definition-error.js';
import { isJsonObject, type JsonValue } from '#protocol/json.js';
import { TimeIsUp, withinTime } from '#schema/time-limit.js';
import { BoundedInterpreter, ExpressionError } from './bounded-interpreter.js';

/** Picks from a JSON value. @throws ExpressionError when it cannot, or takes too long or too much */
export type Expression = (value: JsonValue, maxSize: number) => JsonValue;

/** These make much of little, so that no bound on the body would bound the result. */
const REFUSED = new Set(['pad_left', 'pad_right', 'replace', 'to_string']);
/** `let` would escape the bounds; JMESPath has had no such thing for most of its life. */
const REFUSED_NODES = new Set(['LetExpression', 'Binding', 'Variable']);
const MAX_NODES = 250;
/** One step of these may take as long as it likes, such as to sort what a service answered: no step looks at the clock. */
const UNTIMED = ['Function', 'Comparator'];
/** How long an evaluation with such steps may take, in milliseconds: longer than one that looks at the clock itself. */
const HARD_LIMIT_MS = 150;

/**
 * Compiles a JMESPath expression. It is bounded in its length by the definition, in its size here, and in its work when it
 * runs: the language has no loops or recursion of its own (docs/decisions/jmespath.md).
 * @throws DefinitionError
 */
export function compileExpression(text: string, pointer: string): Expression {
  const tree = parse(text, pointer);
  const types = checkNodes(tree, pointer);
  const isTimed = UNTIMED.some((type) => types.has(type));
  return (value, maxSize) => {
    const run = (): JsonValue => new BoundedInterpreter(maxSize).run(tree, value);
    const result = isTimed ? inTime(run) : run();
    if (isLarger(result, maxSize)) throw new ExpressionError('makes a result that is too large');
    return result;
  };
}

/** @throws ExpressionError */
function inTime<T>(run: () => T): T {
  try {
    return withinTime(HARD_LIMIT_MS, run);
  } catch (error) {
    throw error instanceof TimeIsUp ? new ExpressionError('takes too long') : error;
  }
}

function parse(text: string, pointer: string): ReturnType<typeof compile> {
  try {
    return compile(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read';
    throw new DefinitionError(pointer, `this is no JMESPath expression: ${reason}.`, 'See https://jmespath.site.');
  }
}

/** Returns the types of its nodes. @throws DefinitionError */
function checkNodes(tree: object, pointer: string): ReadonlySet<string> {
  const types = new Set<string>();
  const waiting: unknown[] = [tree];
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...(next as unknown[]));
    if (!isJsonObject(next) || typeof next['type'] !== 'string') continue;
    nodes += 1;
    types.add(next['type']);
    if (nodes > MAX_NODES)
      throw new DefinitionError(pointer, 'the expression is too large.', 'Pick less, or in fewer steps.');
    if (REFUSED_NODES.has(next['type']))
      throw new DefinitionError(pointer, '"let" is not supported.', 'Write the expression without it.');
    if (next['type'] === 'Function') checkFunction(String(next['name']), pointer);
    if (next['type'] !== 'Literal') waiting.push(...Object.values(next).filter((part) => part != null));
  }
  return types;
}

function checkFunction(name: string, pointer: string): void {
  if (isRegistered(name) && !REFUSED.has(name)) return;
  throw new DefinitionError(
    pointer,
    `the function "${name.slice(0, 64)}" is not supported.`,
    'Use another one of JMESPath.',
  );
}

/** Counted as a tree: what stands in it twice is written twice. */
function isLarger(value: JsonValue, maxSize: number): boolean {
  const waiting: JsonValue[] = [value];
  let size = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') size += next.length;
    else if (typeof next === 'object' && next !== null) {
      const members = Object.values(next);
      size += members.length;
      if (size <= maxSize) for (const member of members) waiting.push(member);
    } else size += 1;
    if (size > maxSize) return true;
  }
  return false;
}
