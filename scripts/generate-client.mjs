// Writes the Prisma client to libs/persistence/generated, unless the one there was made from this very schema by this
// very Prisma. Works offline: Prisma's native schema engine is not needed, but Prisma looks for it, and is content with
// any executable.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const root = dirname(import.meta.dirname);
const require = createRequire(import.meta.url);

if (!isFresh()) generate();

/** The generated client holds the schema and the version it was made from. */
function isFresh() {
  try {
    const generated = readFileSync(`${root}/libs/persistence/generated/internal/class.ts`, 'utf8');
    const schema = readFileSync(`${root}/prisma/schema.prisma`, 'utf8');
    const { version } = require('prisma/package.json');
    return generated.includes(JSON.stringify(schema)) && generated.includes(`"clientVersion": "${version}"`);
  } catch {
    return false;
  }
}

function generate() {
  const environment = {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  const { error, status, stdout, stderr } = spawnSync(
    process.execPath,
    [require.resolve('prisma/build/index.js'), 'generate', '--schema', 'prisma/schema.prisma'],
    { cwd: root, env: { ...process.env, ...environment }, encoding: 'utf8', timeout: 60_000 },
  );
  if (!error && status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`);
  console.error(
    'The Prisma client could not be generated. If the message above is about prisma/schema.prisma, mend the schema; ' +
      'else run `npm ci` and try `npm run generate` again.',
  );
  process.exitCode = 1;
}
