import { refuseScope } from '#access/challenges.js';
import type { Forbidden } from '#catalogue/catalogue-view.js';
import { reject, type Rejection } from '#protocol/errors.js';
import type { Exchange } from '../exchange.js';

/**
 * Why a primitive is not served: the caller's token permits too little for it, or there is none, as far as the caller may
 * know.
 */
export function refuseLookup(
  { address, catalogue, envelope }: Exchange,
  missed: Forbidden | undefined,
  unknown: { readonly message: string; readonly data?: unknown },
): Rejection {
  const { id } = envelope;
  if (missed) return { ...refuseScope({ tenant: catalogue.tenant, address }, missed.scopes), id };
  return reject('invalid_params', unknown.message, { data: unknown.data, id });
}
