import type { Change } from './change.js';
import { ChangeBus } from './change.bus.js';

/** The bus of a deployment with one node: whoever publishes and whoever listens are in this process. */
export class InProcessBus extends ChangeBus {
  private readonly subscribers = new Set<(change: Change) => void>();

  /** @param onFailure told when a subscriber throws; the others hear of the change all the same */
  constructor(private readonly onFailure: (error: unknown) => void) {
    super();
  }

  override publish(change: Change): Promise<void> {
    for (const subscriber of this.subscribers) {
      try {
        subscriber(change);
      } catch (error) {
        this.onFailure(error);
      }
    }
    return Promise.resolve();
  }

  override subscribe(subscriber: (change: Change) => void): () => void {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }
}
