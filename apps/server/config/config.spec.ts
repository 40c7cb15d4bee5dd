import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../../test/support/databases.js';
import { ConfigurationError, type Environment, readEnvironment } from './config.js';
import { VARIABLES } from './variables.js';

describe('the configuration', () => {
  it('needs no variable at all', () => {
    expect(readEnvironment({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      TENANT_ROUTING: 'path',
      BODY_LIMIT: 4 * 1024 * 1024,
    });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000, DATABASE_URL: undefined });
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'mcp.example.com'],
    ['PUBLIC_URL', 'https://example.com/mcp'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['REDIS_URL', 'localhost:6379'],
    ['TENANT_ROUTING', 'subdomain'],
    ['ALLOWED_ORIGINS', 'example.com'],
    ['ALLOWED_ORIGINS', 'https://a.example/path'],
    ['OUTBOUND_ALLOW', 'intranet'],
    ['OUTBOUND_ALLOW', '10.0.0.0/8, 10.0.0.0/99'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', `${'a'.repeat(44)}!!!!`],
    ['PUBLIC_URL', 'https://user:word@example.com'],
    ['LOG_LEVEL', 'loud'],
    ['BODY_LIMIT', '4 apples'],
    ['BODY_LIMIT', '0'],
    ['CALL_TIMEOUT_MS', '1.5'],
  ])('names %s when it is %s', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(new RegExp(`\\n {2}${name} must`));
  });

  it('names every wrong variable at once, and no value', () => {
    const read = (): unknown => readEnvironment({ PORT: 'x', SECRET_KEY: 'hunter2hunter2', LOG_LEVEL: 'loud' });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(/PORT.*\n.*SECRET_KEY.*\n.*LOG_LEVEL|PORT.*\n.*LOG_LEVEL/s);
    expect(read).not.toThrow(/hunter2/);
  });

  it.each([undefined, 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'wants a name in front of which slugs can stand: %s',
    (PUBLIC_URL) => {
      expect(() => readEnvironment({ TENANT_ROUTING: 'host', PUBLIC_URL })).toThrow(/PUBLIC_URL must have a name/);
      expect(readEnvironment({ TENANT_ROUTING: 'host', PUBLIC_URL: 'http://localhost:3000' })).toBeDefined();
    },
  );

  describe('with the password of the database in a file', () => {
    let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
    const read = (text: string, url = 'postgresql://causeway@db/causeway'): Environment => {
      const file = join(directory.value, 'password');
      writeFileSync(file, text);
      return readEnvironment({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: file });
    };

    beforeAll(async () => {
      directory = await temporaryDirectory();
    });
    afterAll(() => directory.dispose());

    it('takes it as it is written, but for the white space around it', () => {
      const { DATABASE_URL: url } = read('a/b+c:d@e%41 ü\n');
      expect(decodeURIComponent(url?.password ?? '')).toBe('a/b+c:d@e%41 ü');
      expect(url?.host).toBe('db');
    });

    it('refuses a file that is empty or not there', () => {
      expect(() => read('\n')).toThrow(/DATABASE_PASSWORD_FILE must be a file with a password in it/);
      const elsewhere = { DATABASE_URL: 'postgresql://db/x', DATABASE_PASSWORD_FILE: join(directory.value, 'none') };
      expect(() => readEnvironment(elsewhere)).toThrow(/DATABASE_PASSWORD_FILE must be a file that can be read/);
    });

    it('refuses a URL that has a password of its own or is missing', () => {
      expect(() => read('word', 'postgresql://causeway:other@db/causeway')).toThrow(/a DATABASE_URL that has no passw/);
      expect(() => read('word', '')).toThrow(/a DATABASE_URL that has no password/);
    });
  });

  it('passes every variable on to the container', () => {
    const compose = readFileSync(join(import.meta.dirname, '../../../docker-compose.yml'), 'utf8');
    const passed = [...compose.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name);
    expect(passed).toEqual(expect.arrayContaining(Object.keys(VARIABLES)));
  });

  it('is documented, every variable with its default and meaning', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
    const documented = page.split('\n').filter((line) => /^\| `[A-Z_]+`/.test(line));
    const expected = Object.entries(VARIABLES).map(([name, { fallback, meaning }]) => {
      const shown = fallback === undefined || fallback === '' ? '' : `\`${fallback}\``;
      return `| \`${name}\` | ${shown} | ${meaning} |`;
    });
    expect(documented).toEqual(expected);
  });
});
