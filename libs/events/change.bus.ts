import type { Change } from './change.js';

/** @param entryId the entry of the outbox that holds the change; undefined when there is none */
export type ChangeSubscriber = (change: Change, entryId: string | undefined) => void;

/** Carries changes to every node that may have listeners. It promises nothing: rows are what is true. */
export abstract class ChangeBus {
  /** Whether changes reach the other nodes just now. */
  abstract readonly isConnected: boolean;

  /** Connects, and does not wait for it: a bus that is not there keeps no node from serving. */
  abstract start(): void;

  /**
   * Tells the subscribers of this process at once, and resolves when the change is on its way to the other nodes.
   * Rejects when it is not; the subscribers here have heard it all the same.
   */
  abstract publish(change: Change, entryId?: string): Promise<void>;

  /** Calls back for every change, in the order of each publisher. Returns how to stop. */
  abstract subscribe(subscriber: ChangeSubscriber): () => void;

  /** Calls back when changes of other nodes may have been missed. Returns how to stop. */
  abstract onGap(callback: () => void): () => void;

  /** Lets go of connections. What is published afterwards reaches this process alone. */
  abstract close(): Promise<void>;
}
