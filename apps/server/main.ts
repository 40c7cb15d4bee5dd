import { tenantUrl } from '#bindings/http/tenant-routing.js';
import { ConfigurationError } from './config/config.js';
import { banner } from './banner.js';
import { type CausewayServer, createServer } from './create-server.js';
import { DemoModule } from './demo/demo.module.js';

const started = performance.now();

try {
  const server = await createServer({ environment: process.env, modules: [DemoModule] });
  stopOnSignal(server);
  // A promise that a module let float must not take every tenant down with it.
  process.on('unhandledRejection', (error) => server.logger.error({ err: error }, 'A promise was rejected unheard'));
  const { url, environment } = server;
  process.stdout.write(banner(tenantUrl('demo', url, environment.TENANT_ROUTING)));
  process.stdout.write(`Ready after ${Math.round(performance.now() - started)} ms. Stop with Ctrl+C.\n`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

/** The first signal stops in order, the second at once. */
function stopOnSignal(server: CausewayServer): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    server.close().catch((error: unknown) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  return error instanceof Error ? `Causeway did not start: ${error.message}` : String(error);
}
