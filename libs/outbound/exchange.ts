import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { OutboundLimits, OutboundRequest, OutboundResponse, ResponseFields } from './outbound-request.js';
import { TooLargeError } from './read-within.js';

type ReadingLimits = Pick<OutboundLimits, 'maxBytes' | 'signal' | 'take'>;

/** Sends one request over these connections and reads its response as it comes over the wire, packed where it is. */
export function exchange(
  dispatcher: Dispatcher,
  request: OutboundRequest,
  limits: ReadingLimits,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader(request, limits, { resolve, reject });
    const { method, origin, path, headers, body = null } = request;
    // The whole is under one time limit, the signal's.
    dispatcher.dispatch({ method, origin, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, reader);
  });
}

interface Settle {
  resolve(response: OutboundResponse): void;
  reject(error: unknown): void;
}

/** Collects a response. Stops it when it is too large, or the signal says so. */
class ResponseReader implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private status = 0;
  private headers: ResponseFields = {};
  private controller: Dispatcher.DispatchController | undefined;
  private readonly stop = (): void => this.fail(this.limits.signal.reason);

  constructor(
    private readonly request: OutboundRequest,
    private readonly limits: ReadingLimits,
    private readonly settle: Settle,
  ) {
    if (limits.signal.aborted) this.stop();
    else limits.signal.addEventListener('abort', this.stop, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.limits.signal.aborted) this.stop();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return; // what goes before the response (RFC 9110 section 15.2)
    this.status = status;
    this.headers = combined(headers);
    if (this.request.method !== 'HEAD' && Number(headers['content-length']) > this.limits.maxBytes)
      this.fail(new TooLargeError(this.limits.maxBytes));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.byteLength;
    try {
      if (this.size > this.limits.maxBytes) throw new TooLargeError(this.limits.maxBytes);
      this.limits.take?.(chunk.byteLength);
      this.chunks.push(chunk);
    } catch (error) {
      this.fail(error);
    }
  }

  onResponseEnd(): void {
    this.limits.signal.removeEventListener('abort', this.stop);
    const [first] = this.chunks;
    const body = first && this.chunks.length === 1 ? first : Buffer.concat(this.chunks, this.size);
    this.settle.resolve({ status: this.status, headers: this.headers, body, request: this.request });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.limits.signal.removeEventListener('abort', this.stop);
    this.settle.reject(error);
  }

  /** A request that waits for its connection has no controller yet; it is ended as soon as it has. */
  private fail(reason: unknown): void {
    this.limits.signal.removeEventListener('abort', this.stop);
    this.settle.reject(reason);
    this.controller?.abort(reason as Error);
  }
}

/** A field that is there twice is one value with a comma (RFC 9110 section 5.2), so that nobody meets a list unawares. */
function combined(headers: IncomingHttpHeaders): ResponseFields {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
