import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPostgres, type Temporary, temporaryDirectory, temporarySchema } from '../support/databases.js';
import { startProcess } from '../support/server-process.js';

const ROOT = join(import.meta.dirname, '../..');
const MANAGE = join(ROOT, 'apps/server/manage/main.ts');
const HOOKS = pathToFileURL(join(ROOT, 'test/support/source-hooks.mjs')).href;
const SOURCE = ['--no-warnings', '--conditions=causeway-source', '--import', HOOKS];
/** Long enough to build, where somebody runs this test by itself on sources that have changed. */
const BUILD_LIMIT_MS = 240_000;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

function run(program: string, args: readonly string[], variables: Variables): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) => {
    execFile(program, args, { cwd: ROOT, env: { PATH, HOME, ...variables } }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

/** Runs a command as it is typed, on the sources. */
function manage(line: string, variables: Variables): Promise<Ended> {
  return run(process.execPath, [...SOURCE, MANAGE, ...line.split(' ')], variables);
}

function refusal(stderr: string): Ended {
  return { code: 1, stdout: '', stderr: `${stderr}\n` };
}

const postgres = await findPostgres();
const KEY = randomBytes(32).toString('base64');
const OTHER_KEY = randomBytes(32).toString('base64');
const WRONG_KEY = refusal(
  "SECRET_KEY is not the one that this database was sealed with. Run manage with the server's environment.",
);

describe('manage, run as a command', () => {
  let directory: Temporary<string>;
  let environment: Variables;

  /** A place where a server has been once. */
  beforeAll(async () => {
    directory = await temporaryDirectory();
    environment = { DATA_DIR: directory.value };
    await (await startProcess(environment)).kill();
  });

  afterAll(() => directory.dispose());

  it('says that the server runs', async () => {
    const server = await startProcess(environment);
    const given = await manage('tenant list', environment);
    await server[Symbol.asyncDispose]();
    expect(given).toEqual(
      refusal(
        `The database in ${directory.value} is in use: the server runs. Stop it, do this, start it again; or use Postgres (DATABASE_URL).`,
      ),
    );
  });

  it('prints what it is asked for', async () => {
    const { code, stdout, stderr } = await manage('tenant list', environment);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^slug .*\n(?:demo|demo-secure) .*\n(?:demo|demo-secure) .*\n$/);
  });

  it(
    'prints nothing else through npm, as the documents write it',
    async () => {
      const { code, stdout } = await run(
        'npm',
        ['run', '-s', 'manage', '--', 'tenant', 'policy', 'demo-secure'],
        environment,
      );
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ baseline: ['notes:read'], showAll: true });
    },
    BUILD_LIMIT_MS,
  );

  it('wants the secret key of the server', async () => {
    expect(await manage('tenant list', { ...environment, SECRET_KEY: OTHER_KEY })).toEqual(WRONG_KEY);
    const file = join(directory.value, 'secret.key');
    await rename(file, `${file}.away`);
    const without = await manage('tenant list', environment);
    expect(existsSync(file)).toBe(false);
    await rename(`${file}.away`, file);
    expect(without).toEqual(
      refusal(
        `SECRET_KEY is not set, and there is no secret.key in ${directory.value}. Run manage with the server's environment.`,
      ),
    );
  });

  it('makes no database where no server has been', async () => {
    const nowhere = join(directory.value, 'nowhere');
    const given = await manage('tenant add wiki --title Wiki', { DATA_DIR: nowhere });
    expect(given).toMatchObject({ code: 1, stdout: '' });
    expect(given.stderr).toMatch(`There is no database in ${nowhere} yet: start the server once.`);
    expect(existsSync(nowhere)).toBe(false);
  });

  it('adds nothing before the first tenants are made', async () => {
    const empty = join(directory.value, 'empty');
    await mkdir(join(empty, 'pglite'), { recursive: true });
    const given = await manage('tenant add wiki --title Wiki', { DATA_DIR: empty, SECRET_KEY: KEY });
    expect(given).toEqual(refusal(`There is nothing in the database in ${empty} yet: start the server once.`));
  });

  it('says in words when Postgres does not answer', async () => {
    const given = await manage('tenant list', { DATABASE_URL: 'postgresql://127.0.0.1:9/none', SECRET_KEY: KEY });
    expect(given).toMatchObject({ code: 1, stdout: '' });
    expect(given.stderr).toMatch(/^The Postgres database cannot be used: .*ECONNREFUSED.*\n$/);
  });

  it.each(postgres === undefined ? [] : [postgres])('works beside a server on Postgres, with its key', async (url) => {
    const place = temporarySchema(url);
    const variables = { DATABASE_URL: place.value.url, SECRET_KEY: KEY, DATA_DIR: join(directory.value, 'beside') };
    expect(await manage('tenant list', variables)).toEqual(
      refusal('The database of DATABASE_URL is empty: start the server once.'),
    );
    const server = await startProcess(variables);
    try {
      expect(await manage('tenant suspend demo', variables)).toMatchObject({ code: 0, stdout: 'demo is suspended.\n' });
      expect(await manage('tenant list', { ...variables, SECRET_KEY: OTHER_KEY })).toEqual(WRONG_KEY);
      const without = await manage('tenant list', { ...variables, SECRET_KEY: '' });
      expect(without.stderr).toContain('SECRET_KEY is not set');
      expect(existsSync(variables.DATA_DIR)).toBe(false);
    } finally {
      await server[Symbol.asyncDispose]();
      await place.dispose();
    }
  });
});
