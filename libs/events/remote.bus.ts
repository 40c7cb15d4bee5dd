import { randomUUID } from 'node:crypto';
import { decodeBusMessage, encodeBusMessage } from './bus-message.js';
import { Callbacks } from './callbacks.js';
import { ChangeBus, type ChangeSubscriber } from './change.bus.js';
import type { Change } from './change.js';

/** Who is told of what a bus goes through. */
export interface BusReports {
  /** A subscriber threw. */
  readonly onFailure: (error: unknown) => void;
  /** The connection is lost, or was not to be had; told once until it is back. */
  readonly onLost: (reason: string) => void;
  /** The connection is back after it was lost. */
  readonly onReturned: () => void;
  /** Something came that is no message of this version; told once until the connection is made anew. */
  readonly onForeign: () => void;
}

/** What the buses between nodes have in common, whatever carries their messages. */
export abstract class RemoteBus extends ChangeBus {
  private readonly sender = randomUUID();
  private readonly subscribers: Callbacks<Parameters<ChangeSubscriber>>;
  private readonly gaps: Callbacks<[]>;
  private connected = false;
  private lost = false;
  private foreign = false;
  protected closed = false;

  constructor(private readonly reports: BusReports) {
    super();
    this.subscribers = new Callbacks(reports.onFailure);
    this.gaps = new Callbacks(reports.onFailure);
  }

  override get isConnected(): boolean {
    return this.connected;
  }

  override async publish(change: Change, entryId?: string): Promise<void> {
    this.subscribers.call(change, entryId);
    await this.transmit(encodeBusMessage({ sender: this.sender, change, entryId }), entryId);
  }

  override subscribe(subscriber: ChangeSubscriber): () => void {
    return this.subscribers.add(subscriber);
  }

  override onGap(callback: () => void): () => void {
    return this.gaps.add(callback);
  }

  /** Sends a message to all nodes, this one too or not. Rejects when it cannot. */
  protected abstract transmit(message: string, entryId: string | undefined): Promise<void>;

  /** A message that tells the other nodes to look into the outbox for this entry. */
  protected pointerTo(entryId: string): string {
    return encodeBusMessage({ sender: this.sender, change: undefined, entryId });
  }

  /** Takes in what came. This process's own messages were told to its subscribers before they were sent. */
  protected receive(text: string): void {
    const message = decodeBusMessage(text);
    if (!message) this.dropForeign();
    else if (message.sender === this.sender) return;
    else if (message.change) this.subscribers.call(message.change, message.entryId);
    else this.nowDoubtful();
  }

  /** Messages may have been missed, or are too large to come. */
  protected nowDoubtful(): void {
    this.gaps.call();
  }

  /** Messages come from now on; those of the time before may have been missed. */
  protected nowConnected(): void {
    if (this.closed || this.connected) return;
    this.connected = true;
    this.foreign = false;
    if (this.lost) this.reports.onReturned();
    this.lost = false;
    this.nowDoubtful();
  }

  /** Nothing comes any more, or nothing is sent. @param reason without secrets */
  protected nowLost(reason: string): void {
    if (this.closed) return;
    this.connected = false;
    if (!this.lost) this.reports.onLost(reason);
    this.lost = true;
  }

  private dropForeign(): void {
    if (!this.foreign) this.reports.onForeign();
    this.foreign = true;
  }
}
