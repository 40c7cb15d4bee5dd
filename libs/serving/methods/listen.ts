import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogueView } from '#catalogue/catalogue-view.js';
import { reject, type Rejection, isRejection } from '#protocol/errors.js';
import { isJsonObject } from '#protocol/json.js';
import type { SubscriptionFilter } from '#protocol/messages.js';
import { type Departure, type Exchange, rejected } from '../exchange.js';
import type { Stages } from '../stages.js';

const FLAGS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
const MAX_URIS = 1_000;
const MAX_URI_LENGTH = 2_048;
/** All URIs of one stream together, in characters: each is looked up when the stream is opened. */
const MAX_URIS_LENGTH = 65_536;
/** How long URIs are looked up before others get their turn, in milliseconds. */
const SLICE_MS = 8;

/** `subscriptions/listen` (specification: basic/patterns/subscriptions). */
export async function listen(exchange: Exchange, stages: Stages): Promise<Departure> {
  const { id, params } = exchange.envelope;
  const filter = readFilter(params['notifications']);
  if (isRejection(filter)) return rejected({ ...filter, id });
  await lookUp(exchange.view, filter.resourceSubscriptions);
  switch (await stages.listeners.open(exchange, filter)) {
    case 'open':
      return { type: 'open' };
    case 'abandoned':
      return { type: 'abandoned' };
    case 'too many':
      return rejected(tooMany(stages, exchange));
    case 'stopping':
      return rejected(reject('unavailable', 'The server is stopping. Send the request again.', { id }));
  }
}

/** Looks for the resources before the stream is opened, which looks again: others get their turn meanwhile. */
async function lookUp(view: CatalogueView, uris: readonly string[] = []): Promise<void> {
  let began = performance.now();
  for (const uri of uris) {
    if (performance.now() - began > SLICE_MS) {
      await nextTurn();
      began = performance.now();
    }
    view.permitsResource(uri);
  }
}

function tooMany({ listeners }: Stages, { envelope }: Exchange): Rejection {
  return reject('too_many_streams', `At most ${listeners.maxPerPrincipal} listen streams at a time: close one first.`, {
    id: envelope.id,
  });
}

function readFilter(value: unknown): SubscriptionFilter | Rejection {
  if (!isJsonObject(value))
    return reject('invalid_params', '`params.notifications` must be an object that says what to listen for.');
  for (const flag of FLAGS) {
    if (value[flag] !== undefined && typeof value[flag] !== 'boolean') {
      return reject('invalid_params', `\`params.notifications.${flag}\` must be true or false.`);
    }
  }
  const { resourceSubscriptions: uris } = value;
  if (uris === undefined) return value;
  if (!Array.isArray(uris) || uris.length > MAX_URIS || !uris.every(isUri) || uris.join('').length > MAX_URIS_LENGTH) {
    return reject(
      'invalid_params',
      `\`params.notifications.resourceSubscriptions\` must list at most ${MAX_URIS} URIs of ${MAX_URIS_LENGTH} characters in all.`,
    );
  }
  return value;
}

function isUri(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_URI_LENGTH;
}
