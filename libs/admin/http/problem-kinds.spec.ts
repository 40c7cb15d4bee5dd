import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROBLEMS } from './problem-kinds.js';

describe('the table of problems', () => {
  it('is the same in docs/errors.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
    const [, table = ''] = page.split('## Problems of the admin API');
    const documented = table.split('\n').filter((line) => line.startsWith('| `'));
    const expected = Object.entries(PROBLEMS).map(
      ([kind, { status, title, meaning }]) => `| \`${kind}\` | ${status} | ${title} | ${meaning} |`,
    );
    expect(documented).toEqual(expected);
  });
});
