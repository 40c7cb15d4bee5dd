import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { obeyParent } from './child.js';

/** How a listen stream begins and what it is told, with `ID` where the subscription's id stands. */
export interface BareStreamsOptions {
  readonly acknowledgement: string;
  readonly notification: string;
}

interface Stream {
  readonly response: ServerResponse;
  readonly bytes: string;
}

/** Node's server without anything: holds open responses, and writes to each in a loop when it is asked to. */
obeyParent(async ({ acknowledgement, notification }: BareStreamsOptions) => {
  const streams: Stream[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/change') {
        for (const stream of streams) stream.response.write(stream.bytes);
        response.end('{}');
        return;
      }
      const id = String((JSON.parse(body) as { id: number }).id);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(acknowledgement.replace('ID', id));
      streams.push({ response, bytes: notification.replace('ID', id) });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
});
