import { randomUUID } from 'node:crypto';
import { type BusReports, RemoteBus } from '#events/remote.bus.js';
import { openRedis, type RedisConnection } from './open-redis.js';
import type { RedisOptions } from './redis-options.js';

const TIMED_OUT = 'Command timed out';
/** What a node sends to itself, to find out whether it hears anything at all. */
const PROBE = 'probe ';
/** How often, in milliseconds; what does not come within one is lost. */
const PROBE_MS = 5_000;

interface Connections {
  readonly publisher: RedisConnection;
  readonly subscriber: RedisConnection;
}

/**
 * The bus of several nodes, by Redis pub/sub. Redis keeps nothing: what is published while a connection is down is lost,
 * which the outbox makes up for.
 */
export class RedisBus extends RemoteBus {
  private readonly channel: string;
  private connections: Connections | undefined;
  private canPublish = false;
  private isSubscribed = false;
  private readonly probe = `${PROBE}${randomUUID()}`;
  private probing: NodeJS.Timeout | undefined;
  private isProbeOut = false;
  private lastError = 'the connection was closed';

  constructor(
    private readonly options: RedisOptions,
    reports: BusReports,
  ) {
    super(reports);
    this.channel = `${options.prefix}:changes`;
  }

  override start(): void {
    const publisher = openRedis(this.options, 'causeway-publisher');
    const subscriber = openRedis(this.options, 'causeway-subscriber');
    this.connections = { publisher, subscriber };
    this.watch(publisher, 'canPublish', () => {
      this.canPublish = true;
      this.reckon();
    });
    this.watch(subscriber, 'isSubscribed', () => this.subscribeTo(subscriber));
    subscriber.on('message', (_channel: string, text: string) => this.take(text));
    subscriber.on('-node', () => this.nowDoubtful()); // of a cluster: the subscription may have moved to another
    this.probing = setInterval(() => this.lookWhetherHeard(subscriber), PROBE_MS).unref();
  }

  override async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.probing);
    this.connections?.publisher.disconnect();
    this.connections?.subscriber.disconnect();
    return Promise.resolve();
  }

  protected override async transmit(message: string): Promise<void> {
    const publisher = this.connections?.publisher;
    if (!publisher || this.closed) throw new Error('The bus is closed.');
    try {
      await publisher.publish(this.channel, message);
    } catch (error) {
      if (error instanceof Error && error.message === TIMED_OUT) publisher.disconnect(true);
      throw error;
    }
  }

  private take(text: string): void {
    if (text === this.probe) this.isProbeOut = false;
    else if (!text.startsWith(PROBE)) this.receive(text);
  }

  /** A connection on which nothing is sent does not notice that its other end is gone, as behind a firewall that forgets. */
  private lookWhetherHeard(subscriber: RedisConnection): void {
    if (!this.isConnected) return;
    if (this.isProbeOut) {
      this.lastError = 'nothing comes from the channel';
      subscriber.disconnect(true);
      return;
    }
    this.isProbeOut = true;
    this.transmit(this.probe).catch(() => (this.isProbeOut = false)); // what is not sent is no sign
  }

  private watch(connection: RedisConnection, what: 'canPublish' | 'isSubscribed', onReady: () => void): void {
    connection.on('error', (error: Error & { readonly code?: string }) => {
      this.lastError = error.message || error.code || error.name;
      if (!this[what]) this.nowLost(this.lastError); // sentinels that are out of reach close nothing
    });
    connection.on('close', () => {
      this[what] = false;
      this.nowLost(this.lastError);
    });
    connection.on('ready', onReady);
  }

  /** What is published before Redis has confirmed the subscription does not come. */
  private subscribeTo(subscriber: RedisConnection): void {
    subscriber.subscribe(this.channel).then(
      () => {
        this.isSubscribed = true;
        this.isProbeOut = false;
        this.reckon();
      },
      () => subscriber.disconnect(true),
    );
  }

  private reckon(): void {
    if (this.canPublish && this.isSubscribed) this.nowConnected();
  }
}
