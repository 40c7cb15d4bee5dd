import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from './database-errors.js';
import { Prisma } from './generated/client.js';

const known = (code: string, cause?: object): Error =>
  new Prisma.PrismaClientKnownRequestError('It failed.', {
    code,
    clientVersion: '7',
    ...(cause && { meta: { driverAdapterError: { cause } } }),
  });

describe('a database that cannot be used just now', () => {
  it.each([
    ['is out of reach', known('P1001')],
    ['is out of reach for a raw statement', known('P2010', { kind: 'DatabaseNotReachable' })],
    ['shuts down', known('P2010', { kind: 'postgres', originalCode: '57P01' })],
    ['starts', known('P2010', { kind: 'postgres', originalCode: '57P03' })],
    ['is a standby that is about to take over', known('P2010', { kind: 'postgres', originalCode: '25006' })],
    ['has no connection free', new Error('timeout exceeded when trying to connect')],
    ['does not answer', new Error('Query read timeout')],
    ['cut the connection', new Error('Connection terminated unexpectedly')],
    ['cut it in a transaction', new Error('Client has encountered a connection error and is not queryable')],
  ])('%s', (_what, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a violated index', known('P2002', { originalCode: '23505' })],
    ['a column that is not there', known('P2010', { kind: 'ColumnNotFound', originalCode: '42703' })],
    ['a mistake in the code', new TypeError('x is not a function')],
    ['no error', 'Query read timeout'],
  ])('is not to blame for %s', (_what, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
