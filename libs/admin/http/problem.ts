import { PROBLEMS, type ProblemName } from './problem-kinds.js';

/** Where kinds of problems are explained; the name follows. */
export const PROBLEM_PATH = '/admin/v1/problems/';

/** One thing that is wrong. */
export interface ProblemError {
  /** A JSON pointer into the body (RFC 6901); empty for all of it. */
  readonly pointer?: string;
  /** The query parameter or header field, where it is not the body. */
  readonly parameter?: string;
  readonly detail: string;
}

export interface ProblemExtras {
  readonly errors?: readonly ProblemError[];
  /** The admin scope that is missing. */
  readonly scope?: string;
  readonly correlationId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is refused, in words for whoever sent it (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  private readonly extras: Omit<ProblemExtras, 'headers'>;

  /** @param detail what is wrong this time, and what to do */
  constructor(
    readonly kind: ProblemName,
    detail: string,
    { headers = {}, ...extras }: ProblemExtras = {},
  ) {
    super(detail);
    this.name = 'Problem';
    this.status = PROBLEMS[kind].status;
    this.headers = headers;
    this.extras = extras;
  }

  /** The document that is sent. */
  toDocument(): object {
    const { status, title } = PROBLEMS[this.kind];
    return { type: `${PROBLEM_PATH}${this.kind}`, title, status, detail: this.message, ...this.extras };
  }
}
