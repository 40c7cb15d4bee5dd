import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type BusReports, RemoteBus } from '#events/remote.bus.js';
import { Batcher } from '#protocol/batcher.js';
import { postgresChannel } from './postgres-channel.js';
import { readPostgresUrl } from './postgres-url.js';

/** What one notification carries at most is 8,000 bytes, the end of the text included. */
const MAX_PAYLOAD = 7_999;
const MAX_BATCH = 1_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
/** How often a connection on which nothing comes is asked whether it still stands, in milliseconds. */
const PROBE_MS = 10_000;
/** How long a connection may take to end, in milliseconds. */
const END_MS = 1_000;

/** Limits in milliseconds. */
const LIMITS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true };

/**
 * The bus of several nodes that have one Postgres database and no Redis: `LISTEN` and `NOTIFY` on a connection of its own,
 * in a channel of the schema. Postgres keeps nothing for those who do not listen, which the outbox makes up for.
 */
export class PostgresBus extends RemoteBus {
  private readonly config: pg.ClientConfig;
  private readonly channel: string;
  /** One query at a time; `undefined` asks whether the connection still stands. */
  private readonly outgoing = new Batcher(
    (payloads: readonly (string | undefined)[]) => this.notify(payloads),
    MAX_BATCH,
  );
  private client: pg.Client | undefined;
  private delayMs = FIRST_DELAY_MS;
  private timer: NodeJS.Timeout | undefined;

  /** @param url as `PostgresOptions` has it */
  constructor(url: string, reports: BusReports) {
    super(reports);
    const { schema, ...connection } = readPostgresUrl(url);
    this.config = { ...connection, ...LIMITS, application_name: 'causeway-bus' };
    this.channel = postgresChannel(schema);
  }

  override start(): void {
    const client = new pg.Client(this.config);
    this.client = client;
    client.on('error', (error) => this.drop(client, error));
    client.on('end', () => this.drop(client, new Error('the connection was closed')));
    client.on('notification', ({ payload = '' }) => this.receive(payload));
    this.listen(client).catch((error: unknown) => this.drop(client, error));
  }

  override async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    const { client } = this;
    this.client = undefined;
    await Promise.race([client?.end().catch(() => undefined), delay(END_MS, undefined, { ref: false })]);
  }

  protected override async transmit(message: string, entryId: string | undefined): Promise<void> {
    await this.outgoing.add(this.payloadOf(message, entryId));
  }

  private async notify(payloads: readonly (string | undefined)[]): Promise<readonly undefined[]> {
    if (!this.client || !this.isConnected) throw new Error('The connection to Postgres is lost.');
    const texts = payloads.filter((payload) => payload !== undefined);
    await this.client.query('SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text', [this.channel, texts]);
    return payloads.map(() => undefined);
  }

  /** What is too large is looked up in the outbox by whoever hears of it. */
  private payloadOf(message: string, entryId: string | undefined): string {
    if (Buffer.byteLength(message) <= MAX_PAYLOAD) return message;
    if (entryId === undefined) throw new Error('The change is too large to be sent, and stands in no outbox.');
    return this.pointerTo(entryId);
  }

  private async listen(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(this.channel)}`);
    if (this.client !== client) return;
    this.delayMs = FIRST_DELAY_MS;
    this.nowConnected();
    this.probeLater(client);
  }

  private probeLater(client: pg.Client): void {
    this.timer = setTimeout(() => {
      this.outgoing.add(undefined).then(
        () => this.client === client && this.probeLater(client),
        (error: unknown) => this.drop(client, error),
      );
    }, PROBE_MS).unref();
  }

  /** Gives a connection up, once, and makes another after a while. */
  private drop(client: pg.Client, error: unknown): void {
    if (this.closed || this.client !== client) return;
    this.client = undefined;
    clearTimeout(this.timer);
    client.end().catch(() => undefined);
    const { message = '', code = 'it failed' } = error as { readonly message?: string; readonly code?: string };
    this.nowLost(message || code);
    this.timer = setTimeout(() => this.start(), this.delayMs * (0.75 + Math.random() / 2)).unref();
    this.delayMs = Math.min(this.delayMs * 2, MAX_DELAY_MS);
  }
}
