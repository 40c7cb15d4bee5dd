import { isJsonObject } from '#protocol/json.js';
import { pointerTo } from '#schema/json-pointer.js';
import type { SourceRecord } from '#tenancy/tenant.store.js';

/** A secret that a definition names, and where. */
export interface NamedSecret {
  readonly name: string;
  /** JSON pointer into the definition. */
  readonly pointer: string;
}

/**
 * The secrets that a source needs, for whoever stores one to see that they are there. Reads a definition as far as it can
 * be read; whether it is well-formed is the compilation's to say.
 */
export function secretsNamedBy({ definition }: Pick<SourceRecord, 'kind' | 'definition'>): readonly NamedSecret[] {
  const { credentials, updates } = definition;
  const webhook = isJsonObject(updates) ? secretIn(updates['webhook'], '/updates/webhook') : [];
  const list = Array.isArray(credentials)
    ? credentials.flatMap((one, index) => secretIn(one, pointerTo('/credentials', index)))
    : secretIn(credentials, '/credentials');
  return [...list, ...webhook];
}

function secretIn(place: unknown, pointer: string): readonly NamedSecret[] {
  if (!isJsonObject(place) || typeof place['secret'] !== 'string') return [];
  return [{ name: place['secret'], pointer: pointerTo(pointer, 'secret') }];
}
