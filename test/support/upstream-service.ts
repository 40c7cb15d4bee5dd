import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a service got it. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (request: Received, response: ServerResponse) => void;

/** A service that tools call, on a free port of 127.0.0.1. It remembers what it was asked. */
export interface UpstreamService extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly received: Received[];
  /** Answers from now on; what it was asked is forgotten. */
  answer(by: Answer): void;
}

export async function runUpstream(first: Answer = echo): Promise<UpstreamService> {
  const received: Received[] = [];
  let answer = first;
  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(request);
      answer(request, response);
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    received,
    answer: (by) => {
      received.length = 0;
      answer = by;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with what was asked. */
export function echo({ method, url, body }: Received, response: ServerResponse): void {
  sendJson(response, { method, url, body });
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
