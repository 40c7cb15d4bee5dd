import type { KeyRing } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';
import type { Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import type { AdminRows } from '../stores/admin.store.js';
import type { AnswerKey } from '../stores/answer.rows.js';

/** How long the answer to a request is kept, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;

/** The header field of an answer that was given before. */
export const REPLAYED = 'idempotent-replayed';

/** Answers to requests with an `Idempotency-Key`, sealed: some hold what is shown once. */
export class KeptAnswers {
  private readonly keys;

  constructor(keys: KeyRing) {
    this.keys = keys.derive('kept answers');
  }

  /**
   * The answer that was given to this request; undefined when it is the first, and to be carried out.
   * @throws Problem `key_reused`
   */
  async claim(rows: AdminRows, repeat: AnswerKey): Promise<Answer | undefined> {
    const known = await rows.answers.claim(repeat, KEPT_MS);
    if (!known) return undefined;
    if (known.requestHash !== repeat.requestHash)
      throw new Problem('key_reused', 'This Idempotency-Key came with another request before: choose a new one.');
    const text = openText(this.keys, known.response, bindingOf(repeat));
    if (text === undefined)
      throw new Problem('key_reused', 'The answer to this Idempotency-Key cannot be read any more: choose a new one.');
    const answer = JSON.parse(text) as Answer;
    return { ...answer, headers: { ...answer.headers, [REPLAYED]: 'true' } };
  }

  keep(rows: AdminRows, repeat: AnswerKey, answer: Answer): Promise<void> {
    return rows.answers.keep(repeat, sealText(this.keys, JSON.stringify(answer), bindingOf(repeat)));
  }
}

function bindingOf({ actor, key }: AnswerKey): string {
  return JSON.stringify([actor, key]);
}
