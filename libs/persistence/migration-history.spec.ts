import { describe, expect, it } from '@jest/globals';
import type { MigrationFile } from './migration-files.js';
import { MigrationError, missingMigrations } from './migration-history.js';
import type { HistoryRow } from './migration-history.js';

const files: MigrationFile[] = ['1_init', '2_sources'].map((name) => ({ name, sql: '', checksum: `sum of ${name}` }));

function row(name: string, given: Partial<HistoryRow> = {}): HistoryRow {
  const applied = { checksum: `sum of ${name}`, finished_at: new Date(), rolled_back_at: null };
  return { migration_name: name, ...applied, ...given };
}

describe('the migrations a database lacks', () => {
  it('are those that never were applied, in order', () => {
    expect(missingMigrations(files, [])).toEqual(files);
    expect(missingMigrations(files, [row('1_init')])).toEqual([files[1]]);
    expect(missingMigrations(files, [row('1_init'), row('2_sources')])).toEqual([]);
  });

  it('include those that were rolled back, until they were applied again', () => {
    const failed = row('2_sources', { finished_at: null, rolled_back_at: new Date() });
    expect(missingMigrations(files, [row('1_init'), failed])).toEqual([files[1]]);
    expect(missingMigrations(files, [row('1_init'), failed, row('2_sources')])).toEqual([]);
  });

  it('leave alone what a newer version has applied', () => {
    expect(missingMigrations(files, [row('1_init'), row('2_sources'), row('3_tasks')])).toEqual([]);
  });

  it('cannot be told when one was edited after it was applied', () => {
    const rows = [row('1_init', { checksum: 'another' })];
    expect(() => missingMigrations(files, rows)).toThrow(MigrationError);
    expect(() => missingMigrations(files, rows)).toThrow(/^Migration 1_init .* edited .* Put the file back/);
  });

  it('cannot be told when one was begun and not finished', () => {
    const rows = [row('1_init'), row('2_sources', { finished_at: null })];
    expect(() => missingMigrations(files, rows)).toThrow(/^Migration 2_sources .*prisma migrate resolve/);
  });
});
