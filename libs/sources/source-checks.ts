import type { OutboundClient } from '#outbound/outbound-client.js';
import { isJsonObject } from '#protocol/json.js';
import type { SourceRecord } from '#tenancy/tenant.store.js';
import { forbidden } from './http-tool/checked-url.js';

/** How many hosts of one definition are looked at. */
const MAX_HOSTS = 10;
/** Scheme, host and port of what may be a template. */
const ORIGIN = /^https?:\/\/[^/?#{}\\]+/i;

/**
 * Looks at what only waiting tells: whether the names of hosts resolve to addresses that may be called. To be asked before
 * a definition is stored, after it has compiled. A name that has no address just now is let through; every call is
 * checked anyway. Takes a few seconds at most.
 * @throws DefinitionError with the pointer of the URL
 */
export async function checkSource(
  { definition }: Pick<SourceRecord, 'kind' | 'definition'>,
  outbound: Pick<OutboundClient, 'isForbidden'>,
): Promise<void> {
  const checks = hostsIn(definition).map(async ({ url, pointer }) => {
    if (await outbound.isForbidden(url)) throw forbidden(url, pointer);
  });
  await Promise.all(checks);
}

interface NamedHost {
  readonly url: URL;
  readonly pointer: string;
}

function hostsIn({ request, url, credentials }: SourceRecord['definition']): readonly NamedHost[] {
  const list = Array.isArray(credentials)
    ? credentials.map((one, index) => [one, `/credentials/${index}`] as const)
    : [[credentials, '/credentials'] as const];
  const named = [
    hostIn(url, '/url'),
    ...(isJsonObject(request) ? [hostIn(request['url'], '/request/url')] : []),
    ...list.map(([one, pointer]) => hostIn(isJsonObject(one) ? one['tokenUrl'] : undefined, `${pointer}/tokenUrl`)),
  ];
  return named.filter((one) => one !== undefined).slice(0, MAX_HOSTS);
}

function hostIn(value: unknown, pointer: string): NamedHost | undefined {
  const [origin = ''] = typeof value === 'string' ? (ORIGIN.exec(value) ?? []) : [];
  return URL.canParse(origin) ? { url: new URL(origin), pointer } : undefined;
}
