/** How many there may be of each. */
export const LIMITS = {
  sourcesOfTenant: 10_000,
  secretsOfTenant: 1_000,
  keysOfTenant: 500,
  clientsOfTenant: 1_000,
  tokensOfTenant: 1_000,
  operatorKeys: 500,
} as const;

/** The largest definition of a source, in characters of JSON. */
export const DEFINITION_LENGTH = 1024 * 1024;
/** All definitions of a tenant's sources together, in bytes of JSON: a node has them in memory. */
export const DEFINITIONS_OF_TENANT = 64 * 1024 * 1024;
/** The largest access policy, in characters of JSON. */
export const POLICY_LENGTH = 512 * 1024;
/** The largest secret, in characters. */
export const SECRET_LENGTH = 16 * 1024;
/** How long a tenant that is to be deleted can be restored, in milliseconds. */
export const GRACE_MS = 7 * 24 * 3_600_000;
