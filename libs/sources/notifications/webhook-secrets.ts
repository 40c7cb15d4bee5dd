import type { Catalogue } from '#catalogue/catalogue.js';
import { sourceKey } from '#catalogue/catalogue-compiler.js';
import { isJsonObject } from '#protocol/json.js';

const byCatalogue = new WeakMap<Catalogue, ReadonlyMap<object, string>>();

/** With which secret messages about a resource are signed: the secret's name, by the resource's entry. */
export function webhookSecretsOf(catalogue: Catalogue): ReadonlyMap<object, string> {
  const known = byCatalogue.get(catalogue);
  if (known) return known;
  const secrets = new Map<object, string>();
  for (const source of catalogue.tenant.sources) {
    const secret = source.kind === 'resource' ? secretIn(source.definition) : undefined;
    const compiled = catalogue.sources.get(sourceKey(source));
    if (secret === undefined || !compiled) continue;
    for (const entry of [...compiled.entries.resources, ...compiled.entries.templates]) secrets.set(entry, secret);
  }
  byCatalogue.set(catalogue, secrets);
  return secrets;
}

/** The definition was read when it was compiled. */
function secretIn({ updates }: Readonly<Record<string, unknown>>): string | undefined {
  const webhook = isJsonObject(updates) ? updates['webhook'] : undefined;
  const secret = isJsonObject(webhook) ? webhook['secret'] : undefined;
  return typeof secret === 'string' ? secret : undefined;
}
