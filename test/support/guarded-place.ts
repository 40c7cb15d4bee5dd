import type { GuardedPlace } from '#access/challenges.js';
import { type AccessPolicyInput, readAccessPolicy } from '#tenancy/access-policy.js';
import { pathAddress } from '#tenancy/tenant-address.js';
import type { TenantAccess } from '#tenancy/tenant.store.js';

export interface PlaceSetup {
  readonly slug?: string;
  readonly access?: TenantAccess;
  readonly policy?: AccessPolicyInput;
  /** The scopes that the tenant's primitives name. */
  readonly scopes?: readonly string[];
}

/** A tenant's endpoint at `https://mcp.example.com`, an OAuth tenant unless the test says otherwise. */
export function placeOf({ slug = 'acme', access = 'oauth', policy = {}, scopes = [] }: PlaceSetup = {}): GuardedPlace {
  return {
    tenant: { id: `id-of-${slug}`, access, accessPolicy: readAccessPolicy(policy) },
    address: pathAddress(slug, 'https://mcp.example.com'),
    scopes,
  };
}
