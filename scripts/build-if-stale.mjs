// Builds before the first start, and again when a source is newer than the build.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['apps', 'libs', 'prisma', 'package.json', 'tsconfig.json', 'nest-cli.json'];
const BUILT = 'dist/apps/server/main.js';

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  if (path.endsWith('generated')) return 0;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function builtAt() {
  try {
    return statSync(BUILT).mtimeMs;
  } catch {
    return 0;
  }
}

if (builtAt() < Math.max(...SOURCES.map(newest))) {
  process.stderr.write('Building Causeway …\n'); // stdout is the command's own: `npm run -s manage -- … > file`
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: ['inherit', process.stderr, 'inherit'],
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
