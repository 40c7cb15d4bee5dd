import { type Challenge, reject, type Rejection } from '#protocol/errors.js';
import type { TenantAddress } from '#tenancy/tenant-address.js';
import type { CredentialFault } from './credentials.js';
import { baselineScopes } from './scope-rules.js';
import type { GuardedTenant } from './tenant-rules.js';

/** A tenant's endpoint as access sees it. */
export interface GuardedPlace {
  readonly tenant: GuardedTenant;
  readonly address: TenantAddress;
  /** Every scope that the tenant's primitives name. */
  readonly scopes: readonly string[];
}

const IN_HEADER = 'Send the access token in the Authorization header, as Bearer.';

const FAULTS: Readonly<Record<Exclude<CredentialFault, 'missing' | 'malformed'>, string>> = {
  in_query: `A token in the URL is not taken. ${IN_HEADER}`,
  repeated: 'There is more than one Authorization header. Send one.',
  too_long: 'The Authorization header is too long.',
  scheme: IN_HEADER,
};

/** Where the document about a resource is (RFC 9728 section 3.1): its URL with a well-known path put in. */
export function resourceMetadataUrl({ origin, resource }: Pick<TenantAddress, 'origin' | 'resource'>): string {
  return `${origin}/.well-known/oauth-protected-resource${resource.slice(origin.length)}`;
}

/** 401 for a request without a token that could be looked at: where to get one, and for which scopes. */
export function refuseCredentials(place: GuardedPlace, fault: CredentialFault): Rejection {
  if (fault === 'malformed') return refuseToken(place, 'invalid');
  const { tenant, scopes } = place;
  const scope = tenant.access === 'oauth' ? baselineScopes(tenant.accessPolicy, scopes) : [];
  if (fault === 'missing') {
    const challenge = { ...metadataOf(place), scope };
    return reject('unauthorized', 'This server wants an access token: WWW-Authenticate says more.', { challenge });
  }
  const description = FAULTS[fault];
  const challenge = { ...metadataOf(place), scope, error: 'invalid_request', description } as const;
  return reject('unauthorized', description, { challenge });
}

/** 401 for a token that is not good. That it has expired is said; whatever else is wrong with it is not. */
export function refuseToken(place: GuardedPlace, why: 'expired' | 'invalid'): Rejection {
  const description = why === 'expired' ? 'The access token has expired.' : 'The access token is not valid here.';
  return reject('unauthorized', description, {
    challenge: { ...metadataOf(place), error: 'invalid_token', description },
  });
}

/** 403 for a good token that permits too little. @param scope every scope that the operation needs */
export function refuseScope(place: Pick<GuardedPlace, 'tenant' | 'address'>, scope: readonly string[]): Rejection {
  const description = `This needs more than the access token permits: ${scope.join(' ')}`.slice(0, 1_000);
  return reject('insufficient_scope', description, {
    challenge: { ...metadataOf(place), error: 'insufficient_scope', scope, description: 'More scopes are needed.' },
  });
}

/** Static tokens come from an admin, so there is no document that leads to one. */
function metadataOf({
  tenant,
  address,
}: Pick<GuardedPlace, 'tenant' | 'address'>): Pick<Challenge, 'resourceMetadata'> {
  return tenant.access === 'oauth' ? { resourceMetadata: resourceMetadataUrl(address) } : {};
}
