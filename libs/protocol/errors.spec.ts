import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERRORS } from './errors.js';

describe('the error table', () => {
  it('is the same in docs/errors.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
    const [table = ''] = page.split('## Problems of the admin API');
    const documented = table.split('\n').filter((line) => /^\| `/.test(line));
    const expected = Object.entries(ERRORS).map(
      ([kind, { code, status, meaning }]) => `| \`${kind}\` | ${code} | ${status} | ${meaning} |`,
    );
    expect(documented).toEqual(expected);
  });

  it('uses no code that the specification reserves or has retired', () => {
    const allowed = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
    const others = Object.values(ERRORS).filter(({ code }) => !allowed.includes(code));
    expect(others.every(({ code }) => code > 0)).toBe(true);
  });
});
