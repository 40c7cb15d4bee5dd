import { type compile, TreeInterpreter } from '@jmespath-community/jmespath';
import type { JsonValue } from '#protocol/json.js';

type Node = ReturnType<typeof compile>;
type Evaluated = ReturnType<typeof TreeInterpreter.visit>;

/** How long one evaluation may take, in milliseconds. */
const TIME_LIMIT_MS = 100;
/** How many times the largest result may be made on the way to it. */
const WORK_FACTOR = 8;
const LEAST_WORK = 100_000;
/** How many steps there may be between two looks at the clock. */
const STEPS = 256;

/** An expression does not fit the value, or asks for too much. Its message is a clause that is made to be shown. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const Interpreter = TreeInterpreter.constructor as new () => typeof TreeInterpreter;

/**
 * Evaluates JMESPath with a bound on time and on the sizes of what is made on the way. Sees only the members that a value
 * has itself.
 */
export class BoundedInterpreter extends Interpreter {
  private readonly deadline = performance.now() + TIME_LIMIT_MS;
  private work: number;
  private steps = 0;

  constructor(private readonly maxSize: number) {
    super();
    this.work = Math.max(maxSize * WORK_FACTOR, LEAST_WORK);
  }

  /** @throws ExpressionError */
  run(tree: Node, value: JsonValue): JsonValue {
    try {
      return this.search(tree, value);
    } catch (error) {
      if (error instanceof ExpressionError) throw error;
      throw new ExpressionError('does not fit what the service answered');
    }
  }

  override visit(node: Node, value: Evaluated): Evaluated {
    this.steps += 1;
    if (this.steps % STEPS === 0 && performance.now() > this.deadline) throw new ExpressionError('takes too long');
    const result = this.evaluate(node, value);
    this.work -= Array.isArray(result) || typeof result === 'string' ? result.length + 1 : 1;
    if (this.work < 0) throw new ExpressionError('makes too much on the way to its result');
    return result;
  }

  private evaluate(node: Node, value: Evaluated): Evaluated {
    if (node.type === 'Field' && typeof value === 'object' && value !== null && !Object.hasOwn(value, node.name))
      return null;
    if (node.type === 'Function') {
      // One call may do what many steps do; `join` alone makes more than it is given.
      if (performance.now() > this.deadline) throw new ExpressionError('takes too long');
      if (node.name === 'join') this.checkJoin(node.children.map((child) => super.visit(child, value)));
    }
    return super.visit(node, value);
  }

  private checkJoin([glue, list]: readonly Evaluated[]): void {
    if (typeof glue !== 'string' || !Array.isArray(list)) return;
    const size = list.reduce((sum: number, item) => sum + (typeof item === 'string' ? item.length : 0), 0);
    if (size + glue.length * list.length > this.maxSize) throw new ExpressionError('makes a text that is too long');
  }
}
