/**
 * Serves the fixture of the conformance suite until it is told to stop, or until the process that forked it is gone. Sends
 * that process its URL, or prints it: `node dist/test/conformance/server.js` is a server to try a scenario on by hand.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mainAddress } from '#tenancy/tenant-address.js';
import { createServer } from '#server/create-server.js';
import { AUTHORIZATION_TENANT, prepareAuthorization } from './authorization.js';
import { FIXTURE_TENANT, FixtureModule } from './fixture.module.js';

// Nothing here outlives the run, so there is nothing to close in order.
for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => process.exit());

const directory = mkdtempSync(join(tmpdir(), 'causeway-conformance-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const {
  app,
  url: origin,
  environment,
} = await createServer({
  environment: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' },
  modules: [FixtureModule],
  seed: [FIXTURE_TENANT, AUTHORIZATION_TENANT],
});

const { resource: url } = mainAddress(FIXTURE_TENANT.slug, {
  routing: environment.TENANT_ROUTING,
  publicOrigin: () => origin,
});
const authorization = await prepareAuthorization(app, origin);
if (process.send) process.send({ url, authorization });
else console.log(url);
