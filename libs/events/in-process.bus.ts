import { Callbacks } from './callbacks.js';
import { ChangeBus, type ChangeSubscriber } from './change.bus.js';
import type { Change } from './change.js';

/** The bus of a deployment with one node: whoever publishes and whoever listens are in this process. */
export class InProcessBus extends ChangeBus {
  override readonly isConnected = true;
  private readonly subscribers: Callbacks<Parameters<ChangeSubscriber>>;

  /** @param onFailure told when a subscriber throws; the others hear of the change all the same */
  constructor(onFailure: (error: unknown) => void) {
    super();
    this.subscribers = new Callbacks(onFailure);
  }

  override start(): void {}

  override publish(change: Change, entryId?: string): Promise<void> {
    this.subscribers.call(change, entryId);
    return Promise.resolve();
  }

  override subscribe(subscriber: ChangeSubscriber): () => void {
    return this.subscribers.add(subscriber);
  }

  /** There is no way on which a change could be missed. */
  override onGap(): () => void {
    return () => undefined;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}
