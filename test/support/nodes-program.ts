/** A node with tenants that register their own tools, in a process of its own; ends with the one that forked it. */
import { createServer } from '#server/create-server.js';
import { ChangesModule, numberedModule } from './changes.module.js';
import { openTenant } from './running-server.js';

const NUMBERED = 200;

const exit = (): void => process.exit();
process.once('disconnect', exit);

const server = await createServer({
  environment: process.env,
  modules: [ChangesModule, ...Array.from({ length: NUMBERED }, (_, index) => numberedModule(index))],
  seed: [openTenant('acme', 'changes'), openTenant('other', 'changes')],
});
process.once('SIGTERM', () => {
  process.off('disconnect', exit);
  process.disconnect(); // from here on, nothing but what the platform left open keeps the process
  void server.close();
});
process.send?.({ url: server.url, port: server.port });
