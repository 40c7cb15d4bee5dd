import type { Validation } from './validation.js';

/** What a value gets that nests deeper than the stack is; its validation ends there. */
export const TOO_DEEP: Validation = { issues: [{ path: '', message: 'nests too deeply' }] };

/** True for V8's error at the end of the stack, and not for other range errors, which are faults of the code. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack size');
}
