import { Problem } from '../http/problem.js';
import type { AnswerKey } from '../stores/answer.rows.js';

/** Under which conditions a change is to be made, and by whom. */
export interface ChangeTerms {
  readonly actor: string;
  /** `If-Match`: entity tags, or `*`. */
  readonly ifMatch: readonly string[] | undefined;
  /** `If-None-Match: *`: only if there is nothing yet. */
  readonly onlyNew: boolean;
  /** Only say what would happen. */
  readonly dryRun: boolean;
  /** Set where the request may be sent twice and is to be carried out once. */
  readonly repeat: AnswerKey | undefined;
}

/**
 * Whether the change may be made of what is there now (RFC 9110 section 13.1). Asked inside the transaction that holds
 * the tenant's lock, so that of two who read the same one wins.
 * @param current undefined when there is nothing
 * @throws Problem `precondition_failed`
 */
export function requireMatch({ ifMatch, onlyNew }: ChangeTerms, current: string | undefined): void {
  if (onlyNew && current !== undefined)
    throw new Problem('precondition_failed', 'It is there already, and `If-None-Match: *` says that it must not be.');
  if (!ifMatch) return;
  const state = current === undefined ? undefined : stateOf(current);
  const matches = state !== undefined && ifMatch.some((tag) => tag === '*' || stateOf(tag) === state);
  if (matches) return;
  throw new Problem(
    'precondition_failed',
    current === undefined
      ? 'There is nothing of this name to change; to make it, send `If-None-Match: *` instead of `If-Match`.'
      : 'It has changed since you read it. Read it again, and decide anew.',
  );
}

/** The part of an entity tag that stands for what is kept; see `etagOf`. */
function stateOf(tag: string): string {
  return tag.split('.')[0]?.replace(/^"|"$/g, '') ?? '';
}
