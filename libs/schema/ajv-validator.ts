import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonObject } from '#protocol/json.js';
import { compileForm } from './ajv-instances.js';
import { ajvIssues } from './ajv-issues.js';
import type { Dialect } from './schema-dialect.js';
import { isStackOverflow, TOO_DEEP } from './stack-overflow.js';
import { TimeIsUp, withinTime } from './time-limit.js';
import type { Validation } from './validation.js';

/** How long one validation may take where its time is not bounded by the sizes of schema and value. */
const TIME_LIMIT_MS = 100;

/** Values of more objects, arrays and scalars than this are reported on with the first issue only. */
const MAX_THOROUGH_SIZE = 1000;

const TOO_SLOW: Validation = {
  issues: [{ path: '', message: 'takes too long to check; give a simpler or smaller value' }],
};

/** A schema as Ajv gets it. */
export interface ValidationPlan {
  readonly form: JsonObject;
  readonly dialect: Dialect;
  /** Run every validation under the time limit. */
  readonly timed: boolean;
}

/**
 * Validates with Ajv, which is compiled at the first value. A catalogue may hold thousands of tools that are never called.
 *
 * Ajv stops at the first issue (`allErrors` off), so that what a hostile value costs does not grow with the number of
 * things that are wrong with it. Only when a value has failed and is small, a second function with `allErrors` finds the
 * rest, under the time limit, so that a model can mend all of it at once.
 */
export class AjvValidator {
  private first: ValidateFunction | undefined;
  private all: ValidateFunction | undefined;

  constructor(private readonly plan: ValidationPlan) {}

  validate(value: unknown): Validation {
    const first = (this.first ??= compileForm(this.plan.form, this.plan.dialect, 'first'));
    try {
      const passed = this.plan.timed ? withinTime(TIME_LIMIT_MS, () => first(value)) : first(value);
      return passed ? { value } : { issues: ajvIssues(this.errorsOf(value, first), value) };
    } catch (error) {
      if (error instanceof TimeIsUp) return TOO_SLOW;
      if (isStackOverflow(error)) return TOO_DEEP;
      throw error;
    }
  }

  private errorsOf(value: unknown, first: ValidateFunction): readonly ErrorObject[] {
    const found = first.errors ?? [];
    if (!isSmall(value)) return found;
    const all = (this.all ??= compileForm(this.plan.form, this.plan.dialect, 'all'));
    try {
      withinTime(TIME_LIMIT_MS, () => all(value));
      return all.errors ?? found;
    } catch {
      return found;
    }
  }
}

function isSmall(value: unknown): boolean {
  const waiting = [value];
  for (let count = 1; waiting.length > 0; count += 1) {
    if (count > MAX_THOROUGH_SIZE || waiting.length > MAX_THOROUGH_SIZE) return false;
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (members.length > MAX_THOROUGH_SIZE) return false;
    waiting.push(...members);
  }
  return true;
}
