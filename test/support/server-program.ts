/** The demo in a process of its own, set up by its environment; ends with the process that forked it. */
import { createServer } from '#server/create-server.js';
import { DemoModule } from '#server/demo/demo.module.js';
import { NotesModule } from '#server/demo/notes.module.js';

process.once('disconnect', () => process.exit());

const server = await createServer({ environment: process.env, modules: [DemoModule, NotesModule] });
process.once('SIGTERM', () => void server.close().then(() => process.exit()));
process.send?.({ url: server.url, port: server.port });
