import type { KeyObject } from 'node:crypto';

/** Where the public keys of an issuer come from. */
export interface KeySource {
  /**
   * The public key with this id for this algorithm; undefined when the issuer has none. Nothing but `kid` and `alg` of a
   * token gets here, and neither is checked to be anything but a short string: never make a path or a query of them.
   * @throws KeysUnavailableError when it cannot be told
   */
  find(kid: string, alg: string): Promise<KeyObject | undefined>;
}

/** The keys of the embedded authorization server: the same for every origin. The injection token of them, too. */
export abstract class EmbeddedKeys implements KeySource {
  abstract find(kid: string, alg: string): Promise<KeyObject | undefined>;
}

/** An issuer's keys are not here and cannot be had just now. */
export class KeysUnavailableError extends Error {
  constructor(issuer: string, options?: ErrorOptions) {
    super(`The keys of ${issuer} cannot be had just now.`, options);
    this.name = 'KeysUnavailableError';
  }
}
