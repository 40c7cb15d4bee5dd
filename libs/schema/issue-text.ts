import type { Issue } from './validation.js';

/** An issue in one line: where, and what is expected. */
export function issueText({ path, message }: Issue): string {
  return path === '' ? message : `${path}: ${message}`;
}
