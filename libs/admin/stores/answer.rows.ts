/** Whose request, by which key, and what it asked for. */
export interface AnswerKey {
  readonly actor: string;
  readonly key: string;
  /** SHA-256 of method, path and body. */
  readonly requestHash: string;
}

/** What is known of a request that may have been sent before. */
export interface KnownAnswer {
  readonly requestHash: string;
  /** Sealed. */
  readonly response: string;
}

/** Answers to requests that may be sent twice. */
export interface AnswerRows {
  /**
   * Claims the key for this transaction; waits for another that has claimed it. Returns what was answered when somebody
   * was first, and undefined when the request is to be carried out.
   */
  claim(key: AnswerKey, keptMs: number): Promise<KnownAnswer | undefined>;

  /** Keeps the answer to a claimed request. */
  keep(key: AnswerKey, response: string): Promise<void>;
}
