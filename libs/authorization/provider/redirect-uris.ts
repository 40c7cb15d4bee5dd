import { type ClientMetadata, errors } from 'oidc-provider';
import { adaptClientMetadata, LOOPBACK_HOSTS } from './client-metadata.js';

const RULE =
  'A redirect URI is https://…, http://… to this computer (127.0.0.1, [::1] or localhost), or has a scheme of the ' +
  "application's own, such as com.example.app:/callback.";

/** A client that an admin wants to register cannot work. */
export class ClientFault extends Error {
  /** @param redirect which redirect URI it is about, by its place in the list; undefined for the rest */
  constructor(
    readonly redirect: number | undefined,
    message: string,
  ) {
    super(message);
    this.name = 'ClientFault';
  }
}

/** Tells now what would otherwise be told to the first who signs in. @throws ClientFault */
export function checkClient(name: string, redirectUris: readonly string[]): void {
  const fault = faultOf({ client_id: '', client_name: name, redirect_uris: [] });
  if (fault)
    throw new ClientFault(undefined, `The client cannot be registered: ${fault.error_description ?? fault.message}.`);
  for (const [place, uri] of redirectUris.entries()) {
    const reason = whyNot(uri);
    if (reason !== undefined) throw new ClientFault(place, `"${uri}" cannot work: ${reason}. ${RULE}`);
  }
}

/** Why nobody could be sent there; undefined when they can. */
function whyNot(uri: string): string | undefined {
  if (!URL.canParse(uri)) return 'it is no absolute URI';
  const { protocol, hostname } = new URL(uri);
  if (uri.includes('#')) return 'a redirect URI has no fragment ("#")';
  if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname))
    return `http is for this computer alone, and ${hostname} is not`;
  if (protocol === 'https:' && LOOPBACK_HOSTS.has(hostname)) return 'to this computer it is http';
  if (faultOf({ client_id: '', redirect_uris: [uri] }))
    return 'browsers treat its scheme themselves, or it has spaces or is too long';
  if (!/^https?:$/.test(protocol) && !/^[a-z][a-z\d+.-]*:\//i.test(uri)) return `"${protocol}" is followed by no path`;
  return undefined;
}

/** What the authorization server has against a client. */
function faultOf(metadata: ClientMetadata): errors.OIDCProviderError | undefined {
  try {
    adaptClientMetadata(metadata);
    return undefined;
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) return error;
    throw error;
  }
}
