import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { listenRequest } from './requests.js';

/** How many streams may wait for their acknowledgement at a time. */
const OPENING = 50;
const ACKNOWLEDGEMENT = 'notifications/subscriptions/acknowledged';

/** Opens so many listen streams and waits until each is acknowledged. @throws Error when one is refused. */
export async function openListeners(url: URL, count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  try {
    for (let opened = 0; opened < count; opened += OPENING) {
      const batch = Array.from({ length: Math.min(OPENING, count - opened) }, (_, index) =>
        listen(url, opened + index + 1),
      );
      sockets.push(...batch.map((listener) => listener.socket));
      await Promise.all(batch.map((listener) => listener.acknowledged));
    }
    return sockets;
  } catch (error) {
    closeListeners(sockets);
    throw error;
  }
}

export function closeListeners(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

function listen(url: URL, id: number): { readonly socket: Socket; readonly acknowledged: Promise<void> } {
  const { headers, body } = listenRequest(id);
  const socket = connect(Number(url.port), url.hostname);
  const lines = Object.entries({ Host: url.host, ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
  socket.write(
    `POST ${url.pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  return { socket, acknowledged: acknowledgement(socket) };
}

async function acknowledgement(socket: Socket): Promise<void> {
  const signal = AbortSignal.timeout(20_000);
  let received = '';
  while (!received.includes(ACKNOWLEDGEMENT)) {
    const [chunk] = (await Promise.race([
      once(socket, 'data', { signal }),
      once(socket, 'close', { signal }),
    ])) as unknown[];
    if (!Buffer.isBuffer(chunk)) throw new Error(`A listen stream was closed: ${received.slice(0, 500)}`);
    received += chunk.toString();
    if (!received.startsWith('HTTP/1.1 200')) throw new Error(`A listen stream was refused: ${received.slice(0, 500)}`);
  }
}
