import * as client from 'openid-client';
import { keepLatest } from '#protocol/keep-latest.js';
import type { PurposeKey } from '#protocol/key-ring.js';
import { openText } from '#protocol/sealed-text.js';
import type { UpstreamProvider } from '#tenancy/access-policy.js';
import type { FetchClientDocument } from '../provider/provider-parts.js';
import type { ProtectedTenant } from '../provider/protected-resources.js';
import type { UpstreamIdentity } from '../stores/account.store.js';

/** For how long a provider's metadata is believed. */
const FRESH_MS = 10 * 60_000;
const MAX_KNOWN = 500;
const TIMEOUT_S = 10;

/** What ties a person who comes back to the one who was sent away. */
export interface Secrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface UpstreamProvidersParts {
  /** Open the client secrets of tenants' providers. */
  readonly secretKeys: readonly [PurposeKey, ...PurposeKey[]];
  readonly fetch: FetchClientDocument;
}

interface Known {
  readonly configuration: Promise<client.Configuration>;
  readonly until: number;
}

/** Tenants' own OpenID providers (OpenID Connect Core, authorization code with PKCE). */
export class UpstreamProviders {
  private readonly known = new Map<string, Known>();

  constructor(private readonly parts: UpstreamProvidersParts) {}

  /** Where to send a person, and what to remember meanwhile. Rejects when the provider does not answer. */
  async begin(
    tenant: ProtectedTenant,
    provider: UpstreamProvider,
    redirectUri: string,
  ): Promise<{ url: URL; secrets: Secrets }> {
    const configuration = await this.configurationOf(tenant, provider);
    const secrets = {
      state: client.randomState(),
      verifier: client.randomPKCECodeVerifier(),
      nonce: client.randomNonce(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url, secrets };
  }

  /** Who came back. Rejects when the answer is not good. @param answer the URL with the provider's parameters */
  async identify(
    tenant: ProtectedTenant,
    provider: UpstreamProvider,
    { answer, secrets }: { readonly answer: URL; readonly secrets: Secrets },
  ): Promise<UpstreamIdentity> {
    const tokens = await client.authorizationCodeGrant(await this.configurationOf(tenant, provider), answer, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
    });
    const { sub = '', name, email } = (tokens.claims() ?? {}) as { sub?: string; name?: unknown; email?: unknown };
    if (sub === '') throw new Error('The provider did not say who it is.');
    return {
      tenantId: tenant.tenantId,
      issuer: provider.issuer,
      subject: sub,
      name: textOf(name) ?? textOf(email) ?? 'A person without a name',
      email: textOf(email) ?? null,
    };
  }

  /** A failure is not kept. */
  private configurationOf(
    { tenantId: id }: ProtectedTenant,
    provider: UpstreamProvider,
  ): Promise<client.Configuration> {
    const key = JSON.stringify([id, provider]);
    const known = this.known.get(key);
    if (known && known.until > Date.now()) return known.configuration;
    const configuration = this.discover(id, provider);
    configuration.catch(() => this.known.delete(key));
    keepLatest(this.known, key, { configuration, until: Date.now() + FRESH_MS }, MAX_KNOWN);
    return configuration;
  }

  private async discover(tenantId: string, provider: UpstreamProvider): Promise<client.Configuration> {
    const { issuer, clientId } = provider;
    const secret = this.secretOf(tenantId, provider);
    return client.discovery(new URL(issuer), clientId, secret, secret === undefined ? client.None() : undefined, {
      [client.customFetch]: this.parts.fetch as client.CustomFetch,
      timeout: TIMEOUT_S,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the guarded fetch lets http: pass to allowed networks only
      execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
    });
  }

  /** Those that were sealed before issuers were part of it are still taken where they stand. */
  private secretOf(tenantId: string, { sealedSecret, issuer }: UpstreamProvider): string | undefined {
    if (sealedSecret === undefined) return undefined;
    const open = (binding: string) => openText(this.parts.secretKeys, sealedSecret, binding);
    const secret = open(secretBinding(tenantId, issuer)) ?? open(secretBinding(tenantId));
    if (secret !== undefined) return secret;
    throw new Error('The client secret of the provider was sealed with another SECRET_KEY, or for another tenant.');
  }
}

/**
 * What the sealed client secret of a tenant's provider is bound to. The issuer is part of it: who may write the policy
 * sees the sealed secret, and must not have it sent to an issuer of their own.
 */
export function secretBinding(tenantId: string, issuer?: string): string {
  return `upstream provider ${tenantId}${issuer === undefined ? '' : ` ${issuer}`}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 320) : undefined;
}
