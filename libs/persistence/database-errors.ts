import { Prisma } from './generated/client.js';

/** Not reached, timed out, closed, no connection free, transaction not begun or over its limit, deadlock. */
const PASSING: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034']);

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
  return error instanceof Prisma.PrismaClientKnownRequestError && PASSING.has(error.code);
}

function postgresCodeOf({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined {
  const reported = meta?.['driverAdapterError'] as { readonly cause?: { readonly originalCode?: string } } | undefined;
  return reported?.cause?.originalCode;
}
