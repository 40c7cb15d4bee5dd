/** A node with two open tenants, in a process of its own; ends with the one that forked it. */
import { ChangeRelay } from '#events/change-relay.js';
import { createServer } from '#server/create-server.js';
import { openTenant } from './running-server.js';

const exit = (): void => process.exit();
process.once('disconnect', exit);

const server = await createServer({
  environment: process.env,
  modules: [],
  seed: [openTenant('acme'), openTenant('other')],
});
if (process.env['DIES_BEFORE_TELLING'])
  server.app.get(ChangeRelay).send = () => {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  };
process.once('SIGTERM', () => {
  process.off('disconnect', exit);
  process.disconnect(); // from here on, nothing but what the platform left open keeps the process
  void server.close();
});
process.send?.({ url: server.url, port: server.port });
