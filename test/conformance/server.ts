/**
 * Serves the fixture of the conformance suite until it is told to stop. Sends its URL to the process that forked it, or
 * prints it: `node dist/test/conformance/server.js` is a server to try a scenario on by hand.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tenantUrl } from '#bindings/http/tenant-routing.js';
import { createServer } from '#server/create-server.js';
import { FIXTURE_TENANT, FixtureModule } from './fixture.module.js';

const directory = mkdtempSync(join(tmpdir(), 'causeway-conformance-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const server = await createServer({
  environment: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' },
  modules: [FixtureModule],
  seed: [FIXTURE_TENANT],
});

const stop = (): void => {
  void server.close().finally(() => process.exit());
};
for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);

const url = tenantUrl(FIXTURE_TENANT.slug, server.url, server.environment.TENANT_ROUTING);
if (process.send) process.send({ url });
else console.log(url);
