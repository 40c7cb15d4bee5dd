/** The scopes of OpenID Connect that the provider knows: they say something of the person or the client, and nothing of a resource. */
export const OPENID_SCOPES: ReadonlySet<string> = new Set(['openid', 'offline_access', 'email', 'profile']);
