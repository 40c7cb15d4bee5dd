import type { Client } from 'oidc-provider';
import type { ClientView } from '../pages/page-models.js';
import { isDocumentUrl, LOOPBACK_HOSTS } from './client-metadata.js';

/** Who vouches for a client: the platform that it is part of, an admin who registered it, or nobody here. */
export type Voucher = 'platform' | 'admin' | undefined;

/** A client as the pages show it. @param redirectUri of this request; undefined in the device flow */
export function clientView(client: Client, redirectUri: string | undefined, voucher: Voucher): ClientView {
  const uris = client.redirectUris ?? [];
  return {
    name: client.clientName ?? '',
    redirectHost: redirectUri === undefined ? undefined : placeOf(redirectUri),
    loopbackOnly: voucher !== 'platform' && redirectUri !== undefined && uris.every((uri) => isLocal(uri)),
    ...identityOf(client, voucher),
  };
}

function identityOf({ clientId }: Client, voucher: Voucher): Pick<ClientView, 'identity' | 'identityHost'> {
  if (voucher === 'platform') return { identity: 'platform' };
  if (voucher === 'admin') return { identity: 'registered' };
  if (!isDocumentUrl(clientId)) return { identity: 'dynamic' };
  return { identity: 'document', identityHost: new URL(clientId).host };
}

function placeOf(uri: string): string {
  const { protocol, hostname, host } = new URL(uri);
  if (LOOPBACK_HOSTS.has(hostname)) return `${hostname} (this computer)`;
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`;
}

/** Whether whatever runs on this computer can receive it: loopback, or a scheme that any application can claim. */
function isLocal(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return LOOPBACK_HOSTS.has(hostname) || protocol !== 'https:';
}
