/** Bounds on one call. */
export interface InvocationLimits {
  /** How long a handler may take unless its primitive says otherwise, in milliseconds. */
  readonly callTimeoutMs: number;
  /** How many times one call may ask before it must come to an end. */
  readonly rounds: number;
  /** How long a client may take to answer, in milliseconds. */
  readonly roundTtlMs: number;
  /** How large the answers and step results of one call may grow, in characters of JSON. */
  readonly roundStateLength: number;
}
