import type { AdminCaller } from './admin-caller.js';

/** Knows one kind of bearer token for the admin API. */
export interface AdminTokens {
  /**
   * Who shows the token. `invalid` when it is of this kind and not good (any more); undefined when it is none of this
   * kind, for the next to look at.
   */
  verify(token: string): Promise<AdminCaller | 'invalid' | undefined>;
}
