import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { openTenant, runServer } from '../support/running-server.js';
import { openSocket } from '../support/wire.js';

it('a platform that stops waits for no connection on which nothing was ever sent', async () => {
  const environment = { SHUTDOWN_TIMEOUT_MS: '600000' };
  await using running = await runServer({ modules: [], tenants: [openTenant('acme')], environment });
  const socket = await openSocket(running.server.url);
  socket.resume();
  const closed = once(socket, 'close');
  await running.server.close();
  await closed;
  expect(socket.bytesRead).toBe(0);
});
