import type { ScopeDeclaration } from './access-policy.js';
import type { TenantPlaces } from './tenant-address.js';

/** A client that is part of the platform: it needs no registration, has no secret, and is good for its resource alone. */
export interface PlatformClient {
  readonly id: string;
  readonly name: string;
  /** Where its redirect URIs are, at the public origin. */
  readonly redirectPaths: readonly string[];
}

/** A resource that is the platform's own and no tenant's, such as the admin API. It stands at the public origin. */
export interface PlatformResource {
  /** Where it is, such as `/admin/v1`; with the public origin before it, its resource identifier (RFC 8707). */
  readonly path: string;
  readonly title: string;
  /** Every scope that a token for it can have, in words. */
  readonly scopes: readonly ScopeDeclaration[];
  /** What a client gets that asks for nothing in particular. */
  readonly baseline: readonly string[];
  readonly clients: readonly PlatformClient[];
}

/** Whether a request's `Host` is that of the platform, as far as the form of tenants' URLs makes a difference. */
export function isPlatformHost(host: string | undefined, { routing, publicOrigin }: TenantPlaces): boolean {
  return routing === 'path' || host?.toLowerCase() === new URL(publicOrigin()).host;
}
