import { ERRORS, type Rejection } from '../errors.js';
import type { Implementation, RequestId } from '../messages.js';
import { META } from '../meta-keys.js';

/**
 * The encoder of the modern era (revision 2026-07-28): the one place where its messages become text. Everything here
 * takes parts that are JSON text already where they can be made once, so that a message costs a concatenation.
 */

/** The id as JSON text. */
export function encodeId(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

/** The `_meta` that identifies a server in each of its results, as JSON text; made once per catalogue. */
export function encodeServerMeta(server: Implementation): string {
  return JSON.stringify({ [META.serverInfo]: server });
}

export type ResultType = 'complete' | 'input_required';

/**
 * A result as JSON text.
 * @param body the method's own members; `_meta` in it is joined with the server's
 * @param serverMeta from `encodeServerMeta`
 */
export function encodeResult(resultType: ResultType, body: object, serverMeta: string): string {
  const { _meta: own, ...rest } = body as { _meta?: object };
  const members = JSON.stringify(rest).slice(1, -1);
  const meta = own === undefined ? serverMeta : joinObjects(JSON.stringify(own), serverMeta);
  return `{"resultType":"${resultType}",${members}${members === '' ? '' : ','}"_meta":${meta}}`;
}

/** A response that carries this result. */
export function encodeResponse(id: RequestId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":${resultJson}}`;
}

/** An error response; without an id when the request's could not be read. */
export function encodeRejection(rejection: Rejection): string {
  const { kind, message, data, id } = rejection;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: ERRORS[kind].code, message, data } });
}

/** A notification; `params` may be left out. */
export function encodeNotification(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/**
 * What the messages of one listen stream have in common: every one carries the subscription's id
 * (specification: basic/patterns/subscriptions). Kept as one short string, since a stream lives long and there are many.
 */
export function encodeSubscriptionMeta(id: RequestId): string {
  return `"${META.subscriptionId}":${encodeId(id)}`;
}

/** A notification on a listen stream. `members` is JSON text of further params, without braces, or empty. */
export function encodeSubscriptionNotification(method: string, subscriptionMeta: string, members = ''): string {
  const more = members === '' ? '' : `,${members}`;
  return `{"jsonrpc":"2.0","method":"${method}","params":{"_meta":{${subscriptionMeta}}${more}}}`;
}

/** The response that ends a listen stream gracefully. */
export function encodeSubscriptionEnd(id: RequestId, serverMeta: string): string {
  const meta = joinObjects(`{${encodeSubscriptionMeta(id)}}`, serverMeta);
  return encodeResponse(id, `{"resultType":"complete","_meta":${meta}}`);
}

/** Joins two objects given as JSON text; members of the second come last, so they win. */
function joinObjects(first: string, second: string): string {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}

/**
 * The result of a list method, made of a page that is encoded already.
 * @param member the member that holds the entries
 * @param entriesJson the entries as the text of a JSON array
 */
export function encodeListResult(member: string, entriesJson: string, more: object, serverMeta: string): string {
  const rest = JSON.stringify(more).slice(1, -1);
  return `{"resultType":"complete","${member}":${entriesJson},${rest},"_meta":${serverMeta}}`;
}
