import { isIP } from 'node:net';
import { z } from 'zod';
import { LOG_LEVELS } from '#telemetry/logger.js';
import { redisNodes } from './redis-nodes.js';

/** One environment variable: what it means, what it is when it is not set, how it is read. */
interface Variable<T> {
  readonly meaning: string;
  /** As a value of the variable; undefined when there is none. */
  readonly fallback: string | undefined;
  readonly schema: z.ZodType<T, string | undefined>;
}

function variable<T>(
  meaning: string,
  fallback: string | undefined,
  schema: z.ZodType<T, string | undefined>,
): Variable<T> {
  return { meaning, fallback, schema };
}

/** Whole numbers; `size` reads `512KiB` and `4MiB` too. */
function integer(min: number, max: number): z.ZodType<number, string | undefined> {
  return z
    .string(`must be a whole number from ${min} to ${max}`)
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
}

const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KIB: 1024, MIB: 1024 ** 2 };

function size(): z.ZodType<number, string | undefined> {
  const wrong = 'must be a size such as 4194304, 512KiB or 4MiB';
  return z
    .string(wrong)
    .regex(/^\d{1,10} ?(?:B|KiB|MiB)?$/i, wrong)
    .transform((text) => {
      const [, digits = '', unit = ''] = /^(\d+) ?(\w*)$/.exec(text) ?? [];
      return Number(digits) * (UNITS[unit.toUpperCase()] ?? 1);
    })
    .refine((bytes) => bytes > 0 && bytes <= 1024 ** 3, 'must be above 0 and at most 1024MiB');
}

function url(protocols: readonly string[], example: string): z.ZodType<URL, string | undefined> {
  const wrong = `must be a URL such as ${example}`;
  return z.string(wrong).transform((text, context) => {
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return new URL(text);
    context.addIssue({ code: 'custom', message: wrong });
    return z.NEVER;
  });
}

function origin(text: string, context: { addIssue(issue: { code: 'custom'; message: string }): void }): string {
  if (URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, '')) return new URL(text).origin;
  context.addIssue({ code: 'custom', message: 'must be origins such as https://app.example.com, separated by commas' });
  return '';
}

function network(text: string, context: { addIssue(issue: { code: 'custom'; message: string }): void }): string {
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  if (
    isIP(address) > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
    return text;
  context.addIssue({
    code: 'custom',
    message: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  });
  return '';
}

/** Base64 of 32 bytes or more. */
function isKey(text: string): boolean {
  const wellFormed = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  return wellFormed && Buffer.from(text, 'base64').length >= 32;
}

const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Every environment variable that Causeway reads. `docs/configuration.md` says the same, and a test compares them. */
export const VARIABLES = {
  HOST: variable(
    'The address to listen on. Behind a proxy or in a container: `0.0.0.0`.',
    '127.0.0.1',
    z.string().min(1, 'must be an address'),
  ),
  PORT: variable('The port to listen on; 0 picks a free one.', '3000', integer(0, 65_535)),
  PUBLIC_URL: variable(
    'The URL under which clients reach the platform, without a path. `http://HOST:PORT` when it is not set.',
    undefined,
    url(['http:', 'https:'], 'https://mcp.example.com')
      .refine((value) => `${value.origin}/` === value.href, 'must be an origin: no path, no query, no user')
      .optional(),
  ),
  DATA_DIR: variable(
    'Where the database of a single node and its secret key are kept.',
    './data',
    z.string().min(1, 'must be a directory'),
  ),
  DATABASE_URL: variable(
    'A Postgres database. When it is not set, Postgres runs inside the process and keeps its files in `DATA_DIR`.',
    undefined,
    url(['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/causeway').optional(),
  ),
  DATABASE_PASSWORD_FILE: variable(
    'A file with the password for `DATABASE_URL`, where that URL is to hold none.',
    undefined,
    z.string().min(1).optional(),
  ),
  DATABASE_CONNECTIONS: variable('How many connections to Postgres one node opens at most.', '10', integer(1, 1_000)),
  REDIS_URL: variable(
    'Redis, which carries changes between nodes: `redis://user:password@host:6379/0`, or `rediss:` for TLS. Several, separated by commas, for Sentinel and Cluster. When it is not set, the Postgres of `DATABASE_URL` carries them.',
    undefined,
    redisNodes().optional(),
  ),
  REDIS_MODE: variable(
    'What `REDIS_URL` names: `single`, one server; `sentinel`, sentinels that know it; `cluster`, nodes of a cluster.',
    'single',
    z.enum(['single', 'sentinel', 'cluster'], 'must be single, sentinel or cluster') as z.ZodType<
      'single' | 'sentinel' | 'cluster',
      string | undefined
    >,
  ),
  REDIS_SENTINEL_NAME: variable(
    'What the sentinels call the server that `REDIS_MODE=sentinel` looks for.',
    'mymaster',
    z.string().regex(/^[\w.-]{1,128}$/, 'must be a name of letters, digits, dots and dashes'),
  ),
  REDIS_PREFIX: variable(
    'Stands in front of the names of channels in Redis. Nodes of one deployment share it; deployments that share a Redis differ in it.',
    'causeway',
    z.string().regex(/^[\w.:-]{1,64}$/, 'must have letters, digits, dots, colons and dashes, 64 at most'),
  ),
  TENANT_ROUTING: variable(
    'How a URL names its tenant: `path` (`/t/SLUG/mcp`), `host` (`SLUG.` in front of the public host) or `both`.',
    'path',
    z.enum(['path', 'host', 'both'], 'must be path, host or both') as z.ZodType<
      'path' | 'host' | 'both',
      string | undefined
    >,
  ),
  ALLOWED_ORIGINS: variable(
    "Origins of web pages that may call, besides the platform's own, separated by commas.",
    '',
    z.string().transform((text, context) => list(text).map((part) => origin(part, context))),
  ),
  SECRET_KEY: variable(
    'Keys that seal what leaves the platform, in base64, 32 bytes each, separated by commas; the first seals, all open. Nodes of one deployment share them. When it is not set, a key is made and kept in `DATA_DIR`.',
    undefined,
    z
      .string()
      .refine(
        (text) => list(text).length > 0 && list(text).every((part) => isKey(part)),
        'must be keys of 32 bytes or more in base64, such as `openssl rand -base64 32` makes',
      )
      .transform((text) => list(text).map((part) => Buffer.from(part, 'base64')))
      .optional(),
  ),
  OWNER_EMAIL: variable(
    'The e-mail address of the first account, which owns the first tenants. It counts at the first start only.',
    'owner@localhost',
    z.string().regex(/^[^\s@]{1,64}@[^\s@]{1,255}$/, 'must be an e-mail address'),
  ),
  OWNER_PASSWORD: variable(
    "The owner's password, 10 characters or more. When it is not set, one is made at the first start and printed once; when it is set later, it becomes the owner's at the next start.",
    undefined,
    z.string().min(10, 'must have 10 characters or more').max(256, 'must have 256 characters or fewer').optional(),
  ),
  TRUSTED_PROXIES: variable(
    'Addresses and networks of proxies whose `X-Forwarded-For` is believed, separated by commas, such as `10.0.0.0/8`. Limits on sign-ins count by the address that it tells.',
    '',
    z.string().transform((text, context) => list(text).map((part) => network(part, context))),
  ),
  OAUTH_RATE_FACTOR: variable(
    'What the limits on requests to the OAuth endpoints are multiplied by.',
    '1',
    integer(1, 1_000),
  ),
  LOG_LEVEL: variable(
    `How much is logged: ${LOG_LEVELS.join(', ')}.`,
    'info',
    z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`) as z.ZodType<
      (typeof LOG_LEVELS)[number],
      string | undefined
    >,
  ),
  BODY_LIMIT: variable('The largest request body.', '4MiB', size()),
  RESULT_LIMIT: variable('The largest result that is sent.', '16MiB', size()),
  CALL_TIMEOUT_MS: variable(
    'How long a handler may take unless it declares a limit of its own.',
    '60000',
    integer(1, 86_400_000),
  ),
  ROUND_TTL_MS: variable('How long a client may take to answer a question.', '900000', integer(1_000, 86_400_000)),
  MAX_ROUNDS: variable('How often one call may ask its client.', '32', integer(1, 1_000)),
  LISTEN_STREAMS_PER_PRINCIPAL: variable(
    'How many listen streams one principal may have open, over all nodes.',
    '100',
    integer(1, 1_000_000),
  ),
  KEEP_ALIVE_MS: variable('How often a comment keeps a quiet stream open.', '15000', integer(100, 3_600_000)),
  JSON_DEPTH: variable('How deeply a request body may be nested.', '64', integer(8, 512)),
  SCHEMA_DEPTH: variable('How deeply a JSON Schema may be nested.', '32', integer(4, 256)),
  SCHEMA_SIZE: variable('The largest JSON Schema.', '256KiB', size()),
  SCHEMA_SUBSCHEMAS: variable('How many subschemas a JSON Schema may have.', '2000', integer(1, 100_000)),
  PAGE_SIZE: variable('How many entries one page of a list has.', '100', integer(1, 1_000)),
  LIST_TTL_MS: variable(
    'How long clients may keep a list; those who listen hear of changes before.',
    '60000',
    integer(0, 86_400_000),
  ),
  TENANTS_IN_MEMORY: variable('How many tenants a node keeps compiled.', '20000', integer(1, 10_000_000)),
  TOKENS_IN_MEMORY: variable('How many verified access tokens a node remembers.', '50000', integer(1, 10_000_000)),
  OUTBOUND_ALLOW: variable(
    'Addresses and networks (CIDR) that the platform itself may call although they are not public, and without TLS, separated by commas: where an internal identity provider is.',
    '',
    z.string().transform((text, context) => list(text).map((part) => network(part, context))),
  ),
  SHUTDOWN_TIMEOUT_MS: variable(
    'How long requests in flight may take to finish when the platform stops.',
    '10000',
    integer(0, 600_000),
  ),
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof VARIABLES;
