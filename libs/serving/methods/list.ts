import type { Catalogue } from '#catalogue/catalogue.js';
import type { ListKind } from '#catalogue/entries.js';
import { reject } from '#protocol/errors.js';
import type { CacheScope } from '#protocol/messages.js';
import { encodeListResult, encodeResponse } from '#protocol/wire/modern.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';
import type { Method } from './methods.js';

/** The four list methods; each names its entries by another member (specification: server/utilities/pagination). */
export function list(kind: ListKind, member: string): Method {
  return (exchange: Exchange, stages: Stages): Departure => {
    const { envelope, catalogue, view } = exchange;
    const { id, params } = envelope;
    const after = openCursor(params['cursor'], kind, exchange, stages);
    if (after === null) {
      return rejected(
        reject('invalid_params', 'The cursor is not good for this list. Start again without one.', { id }),
      );
    }
    const page = view.lists[kind].page(after);
    const nextCursor =
      page.lastKey === undefined ? undefined : stages.cursors.seal(catalogue.tenant.id, kind, page.lastKey);
    const result = encodeListResult(
      member,
      page.json,
      { nextCursor, ...listCaching(catalogue, stages) },
      catalogue.serverMeta,
    );
    return { type: 'message', text: encodeResponse(id, result) };
  };
}

/** Lists of a tenant that is open to all are the same for all; any other's are the caller's own. */
export function listCaching({ tenant }: Catalogue, { limits }: Stages): { ttlMs: number; cacheScope: CacheScope } {
  return { ttlMs: limits.listTtlMs, cacheScope: tenant.access === 'open' ? 'public' : 'private' };
}

/** The key to go on after, undefined for the first page, null for a cursor that is not good. */
function openCursor(
  cursor: unknown,
  kind: ListKind,
  { catalogue }: Exchange,
  { cursors }: Stages,
): string | undefined | null {
  if (cursor === undefined) return undefined;
  return typeof cursor === 'string' ? (cursors.open(catalogue.tenant.id, kind, cursor) ?? null) : null;
}
