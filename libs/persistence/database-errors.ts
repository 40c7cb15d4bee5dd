import { Prisma } from './generated/client.js';

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

function postgresCodeOf({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined {
  const reported = meta?.['driverAdapterError'] as { readonly cause?: { readonly originalCode?: string } } | undefined;
  return reported?.cause?.originalCode;
}
