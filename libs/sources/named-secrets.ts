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
  const { credentials } = definition;
  if (Array.isArray(credentials))
    return credentials.flatMap((one, index) => secretIn(one, pointerTo('/credentials', index)));
  return secretIn(credentials, '/credentials');
}

function secretIn(credential: unknown, pointer: string): readonly NamedSecret[] {
  if (!isJsonObject(credential) || typeof credential['secret'] !== 'string') return [];
  return [{ name: credential['secret'], pointer: pointerTo(pointer, 'secret') }];
}
