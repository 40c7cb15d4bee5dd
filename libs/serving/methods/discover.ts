import { CAPABILITIES } from '#catalogue/catalogue.js';
import { SERVED_REVISIONS } from '#protocol/revisions.js';
import { encodeResponse, encodeResult } from '#protocol/wire/modern.js';
import type { Departure, Exchange } from '../exchange.js';
import type { Stages } from '../stages.js';
import { listCaching } from './list.js';

/** `server/discover` (specification: server/discover). */
export function discover({ envelope, catalogue }: Exchange, stages: Stages): Departure {
  const { instructions } = catalogue;
  const result = {
    supportedVersions: SERVED_REVISIONS,
    capabilities: CAPABILITIES,
    instructions,
    ...listCaching(catalogue, stages),
  };
  return { type: 'message', text: encodeResponse(envelope.id, encodeResult('complete', result, catalogue.serverMeta)) };
}
