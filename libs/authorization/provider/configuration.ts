import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { OPENID_SCOPES } from '../openid-scopes.js';
import { ACCESS_TOKEN_LIFE_S } from '../stores/grant.store.js';
import { makeClientSecret } from './client.adapter.js';
import type { AccountRules } from './account-rules.js';
import { adaptClientMetadata } from './client-metadata.js';
import { defaultResource } from './default-tenant.js';
import { deviceFlow } from './device-flow.js';
import { ENDPOINT_PATHS } from './endpoints.js';
import { asPayload } from './grant.adapter.js';
import { interactionPolicyFor } from './interaction-policy.js';
import { ownClients } from './own-clients.js';
import type { IssuerParts } from './provider-parts.js';
import { renderError } from './render-error.js';
import { resourceServerOf } from './resource-servers.js';

const MINUTE_S = 60;
const DAY_S = 86_400;

/** How long a refresh token may lie unused. */
const REFRESH_TOKEN_LIFE_S = 30 * DAY_S;

/** How the provider is set up, and why where it is not plain: `docs/decisions/authorization-server.md`. */
export function providerConfiguration(parts: IssuerParts, rules: AccountRules): Configuration {
  return {
    jwks: parts.keySet.jwks,
    clients: ownClients(parts),
    routes: { ...ENDPOINT_PATHS },
    scopes: [...OPENID_SCOPES],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256', 'RS256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    cookies: {
      keys: [...parts.cookieKeys],
      names: { session: 'causeway_session', interaction: 'causeway_interaction', resume: 'causeway_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_LIFE_S,
      ClientCredentials: ACCESS_TOKEN_LIFE_S,
      AuthorizationCode: 1 * MINUTE_S,
      DeviceCode: 10 * MINUTE_S,
      IdToken: 10 * MINUTE_S,
      Interaction: 30 * MINUTE_S,
      RefreshToken: REFRESH_TOKEN_LIFE_S,
      Session: 14 * DAY_S,
      Grant: 400 * DAY_S,
    },
    fetch: (url, init) => parts.fetch(url as string | URL, init as RequestInit),
    clientBasedCORS: () => true, // no cookie counts at these endpoints
    findAccount: (_ctx, accountId, token) => findAccount(accountId, token, parts, rules),
    loadExistingGrant: (ctx) => loadGrant(ctx, parts),
    extraTokenClaims: (_ctx, token) => claimsOf(token, parts),
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => adaptClientMetadata(metadata),
    },
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    expiresWithSession: () => Promise.resolve(false),
    rotateRefreshToken: true,
    interactions: {
      policy: interactionPolicyFor(rules),
      url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    renderError,
    features: features(parts, rules),
  };
}

function features(parts: IssuerParts, rules: AccountRules): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    claimsParameter: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => Promise.resolve(token.clientId === client.clientId),
    },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) =>
        Promise.resolve(client.clientAuthMethod !== 'none' && token.clientId === client.clientId),
    },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      secretFactory: () => Promise.resolve(makeClientSecret()),
    },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    deviceFlow: deviceFlow(parts),
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, client, oneOf) => defaultResource(client.clientId, oneOf, parts),
      getResourceServerInfo: (ctx, resource, client) => resourceServerOf(ctx, { resource, client }, parts, rules),
      useGrantedResource: () => Promise.resolve(true),
    },
  };
}

/** A token's account must be good for what the token is for; without a token, it must be there. */
async function findAccount(
  accountId: string,
  token: unknown,
  { stores }: IssuerParts,
  rules: AccountRules,
): Promise<{ accountId: string; claims(): { sub: string; name?: string; email?: string } } | undefined> {
  const { resource } = (token ?? {}) as { resource?: unknown };
  const account =
    typeof resource === 'string' ? await rules.holderOf(accountId, resource) : await stores.accounts.find(accountId);
  if (account?.status !== 'active') return undefined;
  const { name, email } = account;
  return { accountId, claims: () => ({ sub: accountId, name, ...(email !== null && { email }) }) };
}

/** The grant for this account, client and resource, whatever the session remembers. */
async function loadGrant(ctx: KoaContextWithOIDC, { issuer, stores }: IssuerParts) {
  const { provider, result, session, client, params } = ctx.oidc;
  if (result?.consent?.grantId !== undefined) return provider.Grant.find(result.consent.grantId);
  const accountId = session?.accountId;
  const resource = params?.['resource'];
  if (accountId === undefined || !client || typeof resource !== 'string') return undefined;
  const record = await stores.grants.findByKey({ issuer, accountId, clientId: client.clientId, resource });
  if (!record) return undefined;
  const { rejected: _rejected, ...granted } = asPayload(record) as ReturnType<typeof asPayload> & {
    rejected?: unknown;
  };
  return new provider.Grant(granted);
}

/**
 * What our resource servers want to know besides: what revocations name (see `Revocation.subject`), and the tenant, whose
 * URL may be another's one day.
 */
async function claimsOf(
  token: object,
  { issuer, resources }: IssuerParts,
): Promise<{ grant?: string; tenant?: string }> {
  const { grantId, clientId, aud } = token as { grantId?: string; clientId?: string; aud?: unknown };
  const target = typeof aud === 'string' ? await resources.find(issuer, aud) : undefined;
  const grant = grantId ?? (clientId === undefined ? undefined : `client:${clientId}`);
  return { ...(grant !== undefined && { grant }), ...(target?.tenantId != null && { tenant: target.tenantId }) };
}
