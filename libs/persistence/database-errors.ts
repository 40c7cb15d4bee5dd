import { Prisma } from './generated/client.js';

/** Not reached, timed out, closed, no connection free, transaction not begun or over its limit, deadlock. */
const PASSING: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034']);

/** The same in the words of the driver's adapter, which raw statements fail with. */
const PASSING_KINDS: ReadonlySet<unknown> = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
]);

/**
 * And in Postgres' own (appendix A of its manual): connection lost, resources used up, shutting down or starting, a limit
 * of time, a standby that has not become the primary yet.
 */
const PASSING_STATES = /^(?:08...|53...|57P..|57014|55P03|25006)$/;

/** And in those of `pg`, which gives its errors no codes. */
const PASSING_WORDS =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|is not queryable/;

const UNIQUE_VIOLATION = '23505';

/** Thrown when an id that is random, and so should be new, belongs to another row: one of another owner. */
export class IdTakenError extends Error {
  constructor(what: string) {
    super(`The id of this ${what} belongs to another one.`);
    this.name = 'IdTakenError';
  }
}

/** Whether a statement failed because of a unique index. The client's own statements and raw ones say it differently. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  return error.code === 'P2002' || postgresCodeOf(error) === UNIQUE_VIOLATION;
}

/** Whether the database could not be reached or did not get to it in time, so that it may work later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError))
    return error instanceof Error && PASSING_WORDS.test(error.message);
  const { kind, originalCode = '' } = reportOf(error) ?? {};
  return PASSING.has(error.code) || PASSING_KINDS.has(kind) || PASSING_STATES.test(originalCode);
}

function postgresCodeOf(error: Prisma.PrismaClientKnownRequestError): string | undefined {
  return reportOf(error)?.originalCode;
}

interface DriverReport {
  readonly kind?: string;
  readonly originalCode?: string;
}

function reportOf({ meta }: Prisma.PrismaClientKnownRequestError): DriverReport | undefined {
  const reported = meta?.['driverAdapterError'] as { readonly cause?: DriverReport } | undefined;
  return reported?.cause;
}
