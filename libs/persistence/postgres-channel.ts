import { createHash } from 'node:crypto';

/** The channel in which nodes tell each other of changes to the tables of a schema; a name of Postgres has 63 bytes at most. */
export function postgresChannel(schema: string): string {
  return `causeway_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`;
}
