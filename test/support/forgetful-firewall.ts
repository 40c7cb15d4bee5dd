import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands in front of a Redis, and can forget connections as firewalls do: nothing gets through, and nobody is told. */
export interface ForgetfulFirewall extends AsyncDisposable {
  readonly url: string;
  /** Forgets the connections that have subscribed. */
  forgetSubscribers(): void;
}

export async function runFirewall(redis: string): Promise<ForgetfulFirewall> {
  const { hostname, port } = new URL(redis);
  const sockets = new Set<Socket>();
  const subscribers = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
    client.on('data', (chunk: Buffer) => {
      if (/subscribe/i.test(chunk.toString('latin1'))) subscribers.add([client, upstream]);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forgetSubscribers: () => {
      for (const [client, upstream] of subscribers) {
        client.unpipe();
        upstream.unpipe();
        upstream.resume();
      }
      subscribers.clear();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
