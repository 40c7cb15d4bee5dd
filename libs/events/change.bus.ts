import type { Change } from './change.js';

/** Carries changes to every node that may have listeners. It promises nothing: revisions are what is true. */
export abstract class ChangeBus {
  /** Resolves when the change is on its way. */
  abstract publish(change: Change): Promise<void>;

  /** Calls back for every change, in the order of each publisher. Returns how to stop. */
  abstract subscribe(subscriber: (change: Change) => void): () => void;
}
