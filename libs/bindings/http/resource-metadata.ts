import type { IncomingMessage, ServerResponse } from 'node:http';
import { everyScope } from '#access/scope-rules.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { Stages } from '#serving/stages.js';
import { isPlatformHost, type PlatformResource } from '#tenancy/platform-resource.js';
import { addressOf, originForm, type TenantAddress, type TenantPlaces } from '#tenancy/tenant-address.js';
import { documentFields, documentPreflightFields } from './headers.js';

export interface MetadataOptions extends TenantPlaces {
  readonly stages: Pick<Stages, 'tenants' | 'onFailure'>;
  /** What else tokens are for than tenants. */
  readonly platformResources: readonly PlatformResource[];
}

/** The well-known path, and what stands behind it: the path of the resource (RFC 9728 section 3.1). */
const WELL_KNOWN = /^\/\.well-known\/oauth-protected-resource(?=[/?]|$)([^?]*)/;

interface Answer {
  readonly status: number;
  readonly body: object;
}

const NOT_HERE: Answer = {
  status: 404,
  body: { error: 'not_found', error_description: 'There is no protected resource at this place.' },
};
const NOT_ALLOWED: Answer = {
  status: 405,
  body: { error: 'invalid_request', error_description: 'The document is read with GET.' },
};
const NOT_NOW: Answer = {
  status: 503,
  body: { error: 'temporarily_unavailable', error_description: 'Try again soon.' },
};

/**
 * The document that says where tokens for a tenant come from (RFC 9728), at the place that its URL gives, and at the root
 * of its own host. Takes every request below the well-known path, so that hosts find JSON there and nothing else.
 */
export function serveResourceMetadata(
  options: MetadataOptions,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { method = '', url = '', headers } = request;
  const [, place] = WELL_KNOWN.exec(originForm(url)) ?? [];
  if (place === undefined) return false;
  if (method === 'OPTIONS') response.writeHead(204, documentPreflightFields()).end();
  else if (method !== 'GET' && method !== 'HEAD') write(response, NOT_ALLOWED);
  else {
    const own = ownResource(place, headers.host, options);
    if (own) {
      write(response, { status: 200, body: own });
      return true;
    }
    const address = addressOf(place === '' || place === '/' ? '/mcp' : place, headers.host, options);
    void answerFor(options, address).then((answer) => write(response, answer));
  }
  return true;
}

/** The document of what is the platform's own, which stands at the platform's host alone. */
function ownResource(place: string, host: string | undefined, options: MetadataOptions): object | undefined {
  const path = place.endsWith('/') ? place.slice(0, -1) : place;
  const found = isPlatformHost(host, options) && options.platformResources.find((resource) => resource.path === path);
  if (!found) return undefined;
  const origin = options.publicOrigin();
  return {
    resource: `${origin}${found.path}`,
    authorization_servers: [origin],
    scopes_supported: found.scopes.map(({ name }) => name),
    bearer_methods_supported: ['header'],
    resource_name: found.title,
  };
}

async function answerFor({ stages }: MetadataOptions, address: TenantAddress | undefined): Promise<Answer> {
  if (!address) return NOT_HERE;
  try {
    const catalogue = stages.tenants.peek(address.slug) ?? (await stages.tenants.find(address.slug));
    const isProtected = catalogue?.tenant.access === 'oauth' && catalogue.tenant.status === 'active';
    return isProtected ? { status: 200, body: documentOf(catalogue, address) } : NOT_HERE;
  } catch (error) {
    stages.onFailure(error);
    return NOT_NOW;
  }
}

/** `offline_access` is not among the scopes: it says something of the client, and nothing of the resource. */
function documentOf({ tenant, content }: Catalogue, { resource, origin }: TenantAddress): object {
  const { accessPolicy, title } = tenant;
  const scopes = everyScope(accessPolicy, content.scopes);
  return {
    resource,
    authorization_servers: [accessPolicy.externalIssuer?.issuer ?? origin],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: title,
  };
}

/** Node leaves the body out where the request was HEAD. */
function write(response: ServerResponse, { status, body }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, documentFields(status, Buffer.byteLength(text))).end(text);
}
