import type { ServerResponse } from 'node:http';
import { ERRORS, type Rejection } from '#protocol/errors.js';
import { encodeRejection } from '#protocol/wire/modern.js';
import type { Channel, Departure } from '#serving/exchange.js';
import { sseEvent } from '../sse.js';
import { corsFields, jsonFields, rejectionFields, streamFields } from './headers.js';
import type { OpenStreams } from './open-streams.js';

/** How much may wait for a reader that is slower than what is written for it, in bytes; one over it is disconnected. */
const MAX_BACKLOG = 1024 * 1024;

/**
 * The way back of one POST: one JSON answer, or an SSE stream from the first notification on
 * (specification: basic/transports/streamable-http).
 */
export class HttpChannel implements Channel {
  private streaming = false;
  private done = false;

  /** @param origin the trusted origin that asked, if a page did */
  constructor(
    private readonly response: ServerResponse,
    private readonly origin: string | undefined,
    private readonly streams: OpenStreams,
  ) {}

  send(text: string): void {
    if (this.done || this.response.destroyed) return;
    if (!this.streaming) this.startStream();
    this.response.write(sseEvent(text));
    if (this.response.writableLength > MAX_BACKLOG) this.response.destroy();
  }

  finish(text: string): void {
    if (this.done || this.response.destroyed) return;
    this.done = true;
    this.response.end(sseEvent(text));
  }

  onClose(callback: () => void): void {
    if (this.response.destroyed) callback();
    else this.response.once('close', () => this.closed(callback));
  }

  keepAlive(comment: string): void {
    if (!this.response.writableNeedDrain) this.response.write(comment);
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
    const { status } = ERRORS[rejection.kind];
    this.done = true;
    if (this.response.destroyed) return;
    this.response.writeHead(status, {
      ...jsonFields(Buffer.byteLength(text), this.origin),
      ...rejectionFields(rejection.kind),
    });
    this.response.end(text);
  }

  private answer(text: string): void {
    if (this.streaming) {
      this.finish(text);
      return;
    }
    this.done = true;
    if (this.response.destroyed) return;
    this.response.writeHead(200, jsonFields(Buffer.byteLength(text), this.origin));
    this.response.end(text);
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
