/** What a database URL says, in the terms of the `pg` package. */
export interface PostgresConnection {
  readonly connectionString: string;
  /** Settings for each session, as for `psql`'s PGOPTIONS. */
  readonly options: string;
  readonly schema: string;
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/i;

/**
 * Takes Prisma's `?schema=` out of a Postgres URL and makes it the search path, as the SQL of migrations and raw
 * queries names no schema. Sessions run in UTC, because the driver adapters write and read timestamps without a zone.
 * @throws Error without the URL in its text: it may hold a password
 */
export function readPostgresUrl(url: string): PostgresConnection {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('The database URL must begin with postgresql://');
  const [address = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const schema = parameters.get('schema') ?? 'public';
  if (!SCHEMA.test(schema)) throw new Error('The schema in the database URL must be a plain name: letters, digits, _');
  const options = [parameters.get('options') ?? '', `-c search_path="${schema}"`, '-c TimeZone=UTC'];
  parameters.delete('schema');
  parameters.delete('options');
  const rest = parameters.toString();
  return { connectionString: rest ? `${address}?${rest}` : address, options: options.join(' ').trim(), schema };
}
