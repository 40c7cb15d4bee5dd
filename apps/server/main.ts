import './require-node.js';
import { mainAddress } from '#tenancy/tenant-address.js';
import { AccountStore } from '#authorization/stores/account.store.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { adminBanner, banner, closedBanner, passwordNotice, secureBanner } from './banner.js';
import { explainBootError } from './boot-error.js';
import { type CausewayServer, createServer } from './create-server.js';
import { DemoModule } from './demo/demo.module.js';
import { NotesModule } from './demo/notes.module.js';

const started = performance.now();

let running: CausewayServer | undefined;
stopOnSignal();

try {
  const server = await createServer({
    environment: process.env,
    modules: [DemoModule, NotesModule],
    onFirstPassword: (email, password) => void process.stdout.write(passwordNotice(email, password)),
  });
  running = server;
  // A promise that a module let float must not take every tenant down with it.
  process.on('unhandledRejection', (error) => server.logger.error({ err: error }, 'A promise was rejected unheard'));
  process.stdout.write(await greeting(server));
  process.stdout.write(`Ready after ${Math.round(performance.now() - started)} ms. Stop with Ctrl+C.\n`);
} catch (error) {
  process.stderr.write(`${explainBootError(error, process.env)}\n`);
  process.exitCode = 1;
}

/**
 * The first signal stops in order, the second at once. One that comes while the platform still starts ends it: the first
 * process of a container would not hear it otherwise.
 */
function stopOnSignal(): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping || !running) process.exit(1);
    stopping = true;
    running.close().catch((error: unknown) => {
      process.stderr.write(`Causeway did not stop in order: ${String(error)}\n`);
      process.exit(1);
    });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

async function greeting({ app, url, environment }: CausewayServer): Promise<string> {
  const tenants = app.get(TenantStore);
  const places = { routing: environment.TENANT_ROUTING, publicOrigin: () => url };
  const demo = await tenants.findBySlug('demo');
  const isOpen = demo?.access === 'open' && demo.status === 'active';
  const secure = await tenants.findBySlug('demo-secure');
  const owner = await app.get(AccountStore).findByLogin(environment.OWNER_EMAIL);
  return [
    isOpen ? banner(mainAddress('demo', places).resource) : closedBanner(url),
    secure ? secureBanner(mainAddress('demo-secure', places).resource, owner?.login ?? undefined) : '',
    adminBanner(url),
  ].join('');
}
