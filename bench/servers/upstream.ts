import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { obeyParent } from './child.js';

/** The service that is called by way of others: answers a small JSON object, the same to everything. */
obeyParent(async () => {
  const payload = Buffer.from(
    JSON.stringify({ id: 'order-1', status: 'shipped', total: 19.99, items: ['a', 'b', 'c'] }),
  );
  const headers = { 'content-type': 'application/json', 'content-length': payload.byteLength };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(payload));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
});
