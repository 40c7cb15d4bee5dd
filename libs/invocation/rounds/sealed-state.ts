import type { PurposeKey } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';

/** Sealed state is short; what is longer was not made here. */
const MAX_LENGTH = 420;

export interface Handle {
  readonly roundId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Seals the handle to a round into the `requestState` that a client carries. What the state is bound to (tenant,
 * principal, method, name, arguments) is authenticated with it, so that state presented with anything else does not open
 * (specification: basic/patterns/mrtr, "Server Requirements").
 */
export class StateSealer {
  constructor(private readonly keys: readonly [PurposeKey, ...PurposeKey[]]) {}

  seal(handle: Handle, binding: string): string {
    return sealText(this.keys, `${handle.expiresAt} ${handle.roundId}`, binding);
  }

  /** The handle, or undefined for state that is not ours, not for this binding, or expired. */
  open(state: string, binding: string): Handle | undefined {
    const text = state.length > MAX_LENGTH ? undefined : openText(this.keys, state, binding);
    if (text === undefined) return undefined;
    const [expiresAt = '', roundId = ''] = text.split(' ');
    return Number(expiresAt) > Date.now() ? { roundId, expiresAt: Number(expiresAt) } : undefined;
  }
}
