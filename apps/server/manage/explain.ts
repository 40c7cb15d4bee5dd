import { resolve } from 'node:path';
import { DirectoryInUseError } from '#persistence/directory-lock.js';

/** Why a command was not done, in words that tell what to do. */
export function explain(error: unknown): string {
  if (error instanceof DirectoryInUseError) {
    const place = resolve(error.directory);
    return `The database in ${place} is in use: the server runs. Stop it, do this, start it again; or use Postgres (DATABASE_URL).`;
  }
  return error instanceof Error ? error.message : String(error);
}
