import { describe, expect, it } from '@jest/globals';
import { readPostgresUrl } from './postgres-url.js';

describe('the database URL', () => {
  it('means the schema public, and leaves the rest to the pg package', () => {
    expect(readPostgresUrl('postgresql://ann:s%3Fcret@db:5432/causeway?sslmode=require')).toEqual({
      connectionString: 'postgresql://ann:s%3Fcret@db:5432/causeway?sslmode=require',
      options: '-c search_path="public" -c TimeZone=UTC',
      schema: 'public',
    });
  });

  it('names another schema with ?schema=, which becomes the search path', () => {
    expect(readPostgresUrl('postgres:///causeway?host=/run/postgresql&schema=Team_1')).toEqual({
      connectionString: 'postgres:///causeway?host=%2Frun%2Fpostgresql',
      options: '-c search_path="Team_1" -c TimeZone=UTC',
      schema: 'Team_1',
    });
  });

  it('keeps session options of its own', () => {
    const { connectionString, options } = readPostgresUrl('postgresql://db/causeway?options=-c%20work_mem%3D8MB');
    expect(connectionString).toBe('postgresql://db/causeway');
    expect(options).toBe('-c work_mem=8MB -c search_path="public" -c TimeZone=UTC');
  });

  it.each(['mysql://root:s3cret@db/causeway', 'postgresql://root:s3cret@db/causeway?schema=a";drop'])(
    'is refused without being repeated: %s',
    (url) => {
      expect(() => readPostgresUrl(url)).toThrow(/^The (?!.*s3cret)/);
    },
  );
});
