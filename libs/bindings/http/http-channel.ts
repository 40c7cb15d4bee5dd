import type { ServerResponse } from 'node:http';
import { ERRORS, type Rejection } from '#protocol/errors.js';
import { encodeRejection } from '#protocol/wire/modern.js';
import type { Channel, Departure } from '#serving/exchange.js';
import { sseEvent } from '../sse.js';
import { corsFields, jsonFields, rejectionFields, streamFields } from './headers.js';
import type { OpenStreams } from './open-streams.js';

/** How much may wait for a reader, in bytes, however fast it reads. */
const MAX_BACKLOG = 16 * 1024 * 1024;
/** A last message that is longer, in characters, is watched until it is read. */
const LONG = 64 * 1024;
/** How long a reader may take none of what waits for it, in milliseconds. */
const UNREAD_TIMEOUT_MS = 30_000;

/** A response that fails has lost its reader, which its `close` event tells. */
const ignore = (): void => undefined;

/**
 * The way back of one POST: one JSON answer, or an SSE stream from the first notification on
 * (specification: basic/transports/streamable-http). A reader that stops reading is disconnected.
 */
export class HttpChannel implements Channel {
  private streaming = false;
  private done = false;
  /** Whether the reader had not taken everything when the stream was last kept alive. */
  private behind = false;

  /** @param origin the trusted origin that asked, if a page did */
  constructor(
    private readonly response: ServerResponse,
    private readonly origin: string | undefined,
    private readonly streams: OpenStreams,
  ) {
    response.on('error', ignore);
  }

  send(text: string): void {
    if (this.done || this.response.destroyed) return;
    if (!this.streaming) this.startStream();
    this.response.write(sseEvent(text));
    if (this.response.writableLength > MAX_BACKLOG) this.response.destroy();
  }

  finish(text: string): void {
    if (this.done || this.response.destroyed) return;
    this.end(sseEvent(text));
  }

  onClose(callback: () => void): void {
    if (this.response.destroyed) callback();
    else this.response.once('close', () => this.closed(callback));
  }

  /** Sends a comment to a reader that keeps up; disconnects one that has been behind since the last. */
  keepAlive(comment: string): void {
    const { response } = this;
    if (!response.writableNeedDrain) response.write(comment);
    else if (this.behind) response.destroy();
    this.behind = response.writableNeedDrain;
  }

  /** Writes what a request came to. */
  depart(departure: Departure): void {
    switch (departure.type) {
      case 'message':
        this.answer(departure.text);
        return;
      case 'rejection':
        this.reject(departure.rejection);
        return;
      case 'accepted':
        this.done = true;
        this.response.writeHead(202, { ...corsFields(this.origin), 'content-length': 0 }).end();
        return;
      case 'abandoned':
        this.response.destroy();
        return;
      case 'open':
        return;
    }
  }

  /** Writes a rejection with its HTTP status; on a stream that has begun it is the last message. */
  reject(rejection: Rejection): void {
    const text = encodeRejection(rejection);
    if (this.streaming) {
      this.finish(text);
      return;
    }
    if (this.response.destroyed) return;
    this.response.writeHead(ERRORS[rejection.kind].status, {
      ...jsonFields(Buffer.byteLength(text), this.origin),
      ...rejectionFields(rejection),
    });
    this.end(text);
  }

  private answer(text: string): void {
    if (this.streaming) {
      this.finish(text);
      return;
    }
    if (this.response.destroyed) return;
    this.response.writeHead(200, jsonFields(Buffer.byteLength(text), this.origin));
    this.end(text);
  }

  private end(text: string): void {
    this.done = true;
    if (this.streaming) this.streams.delete(this);
    this.response.end(text);
    if (text.length > LONG || this.response.writableLength > LONG) {
      this.response.setTimeout(UNREAD_TIMEOUT_MS, () => this.response.destroy());
    }
  }

  private startStream(): void {
    this.streaming = true;
    this.response.writeHead(200, streamFields(this.origin));
    this.streams.add(this);
    this.response.once('close', () => this.streams.delete(this));
  }

  private closed(callback: () => void): void {
    if (!this.done) callback();
  }
}
