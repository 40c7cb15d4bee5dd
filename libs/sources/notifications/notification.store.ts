import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';

/** A signed message that says that resources have changed. */
export interface SignedMessage {
  readonly tenantId: string;
  /** What its sender calls it: unique within the tenant. */
  readonly id: string;
}

/** Takes in signed messages, each once on whatever node, and writes down what they announce. */
export abstract class NotificationStore {
  /**
   * Remembers the message and writes the changes into the outbox, in one transaction. Undefined when the message was
   * taken before: nothing is written then.
   */
  abstract take(message: SignedMessage, changes: readonly Change[]): Promise<readonly OutboxEntry[] | undefined>;

  /** Forgets up to 1,000 messages that were taken before this; returns how many. */
  abstract sweep(before: Date): Promise<number>;
}
