import { decodeJwt } from 'jose';
import { errors } from 'oidc-provider';
import { OPENID_SCOPES } from '../openid-scopes.js';
import { allowedScopes } from '../provider/resource-servers.js';
import { defaultTenant } from '../provider/default-tenant.js';
import { canonicalResource, type ProtectedResource, type ProtectedResources } from '../provider/protected-resources.js';
import type { AuthorizationStores } from '../provider/stores.js';
import { CONNECT_SCOPE } from '#tenancy/access-policy.js';

/** What the provider takes of OpenID requests alone. */
const OPENID_PARAMETERS = ['nonce', 'max_age', 'acr_values', 'claims', 'id_token_hint', 'claims_locales'];
const PROMPTS: ReadonlySet<string> = new Set(['none', 'login', 'consent', 'select_account']);

interface Parts {
  readonly issuer: string;
  readonly resources: ProtectedResources;
  readonly stores: AuthorizationStores;
}

/**
 * Bends an authorization request, or a device's, into what the provider takes: the resource in its canonical form, or the
 * one that is meant; scopes that belong to it; prompts that are known.
 */
export async function adaptAuthorization(parameters: URLSearchParams, parts: Parts): Promise<void> {
  const target = await settleResource(parameters, parameters.get('client_id') ?? undefined, parts);
  if (target) settleScopes(parameters, target, target.baseline);
  const prompts = (parameters.get('prompt') ?? '').split(' ').filter((prompt) => PROMPTS.has(prompt));
  if (prompts.length > 0) parameters.set('prompt', prompts.join(' '));
  else parameters.delete('prompt');
  if (!scopesIn(parameters).includes('openid')) for (const name of OPENID_PARAMETERS) parameters.delete(name);
}

/** The same for a token request. @param authorization the header field, where a client may name itself */
export async function adaptTokenRequest(
  parameters: URLSearchParams,
  authorization: string | undefined,
  parts: Parts,
): Promise<void> {
  const clientId = claimedClient(parameters, authorization);
  const isForClient = parameters.get('grant_type') === 'client_credentials';
  const target =
    isForClient || parameters.has('resource') ? await settleResource(parameters, clientId, parts) : undefined;
  if (isForClient && target) await settleClientScopes(parameters, clientId, target, parts);
  else if (parameters.has('scope'))
    setScopes(
      parameters,
      scopesIn(parameters).filter((scope) => scope !== 'offline_access'),
    );
}

/** The client that a token request comes from, as it says itself. */
export function claimedClient(parameters: URLSearchParams, authorization: string | undefined): string | undefined {
  return parameters.get('client_id') ?? basicUser(authorization) ?? assertedClient(parameters.get('client_assertion'));
}

async function settleResource(
  parameters: URLSearchParams,
  clientId: string | undefined,
  parts: Parts,
): Promise<ProtectedResource | undefined> {
  const asked = [...new Set(parameters.getAll('resource').filter(Boolean).map(canonicalResource))];
  parameters.delete('resource');
  for (const resource of asked) parameters.append('resource', resource);
  const [resource, ...others] = asked;
  if (others.length > 0) return undefined;
  const target =
    resource === undefined ? await defaultTenant(clientId, parts) : await parts.resources.find(parts.issuer, resource);
  if (target) parameters.set('resource', target.resource);
  return target;
}

/** Scopes that are nobody's are dropped; where none is the resource's, those for hosts that ask for nothing are put in. */
function settleScopes(parameters: URLSearchParams, { scopes }: ProtectedResource, otherwise: readonly string[]): void {
  const asked = scopesIn(parameters);
  const own = asked.filter((scope) => scopes.includes(scope));
  const openid = asked.filter((scope) => OPENID_SCOPES.has(scope));
  const connecting = scopes.filter((scope) => scope === CONNECT_SCOPE);
  setScopes(parameters, [...openid, ...(own.length > 0 ? [...connecting, ...own] : otherwise)]);
}

/**
 * An agent gets what it asks for of what its admin gave it, and all of that when it asks for nothing. A client that no
 * admin registered is refused by the provider.
 */
async function settleClientScopes(
  parameters: URLSearchParams,
  clientId: string | undefined,
  target: ProtectedResource,
  { stores }: Parts,
): Promise<void> {
  const record = clientId === undefined ? undefined : await stores.clients.find(clientId);
  if (!record) return;
  const allowed = [...(allowedScopes(record.metadata, target) ?? target.baseline)];
  const asked = scopesIn(parameters).filter((scope) => !OPENID_SCOPES.has(scope));
  const own = allowed.filter((scope) => asked.includes(scope));
  if (asked.length > 0 && own.length === 0) {
    throw new errors.InvalidScope('the client was given none of the scopes that it asks for', asked.join(' '));
  }
  const given = allowed.filter((scope) => scope === CONNECT_SCOPE || own.includes(scope));
  setScopes(parameters, asked.length > 0 ? given : allowed);
}

function scopesIn(parameters: URLSearchParams): readonly string[] {
  return (parameters.get('scope') ?? '').split(' ').filter(Boolean);
}

/** Given twice they stay so: the provider refuses them then. */
function setScopes(parameters: URLSearchParams, scopes: readonly string[]): void {
  if (parameters.getAll('scope').length > 1) return;
  if (scopes.length > 0) parameters.set('scope', [...new Set(scopes)].join(' '));
  else parameters.delete('scope');
}

/** The subject of an assertion, not verified (RFC 7523 section 3). */
function assertedClient(assertion: string | null): string | undefined {
  try {
    return assertion === null ? undefined : decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

/** The user of HTTP Basic, form-decoded (RFC 6749 section 2.3.1). */
function basicUser(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=_-]{1,4096})$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [user = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  try {
    return decodeURIComponent(user.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
