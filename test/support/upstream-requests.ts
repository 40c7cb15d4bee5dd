import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service of somebody else's, on a free port of this machine, that keeps what it was asked. */
export interface UpstreamService extends AsyncDisposable {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

export async function upstreamService(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<UpstreamService> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
