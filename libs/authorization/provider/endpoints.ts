/** Paths of the OAuth endpoints: where hosts look that read no metadata. */
export const ENDPOINT_PATHS = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
  introspection: '/introspect',
  jwks: '/jwks',
  device_authorization: '/device/authorize',
  code_verification: '/device',
} as const;
