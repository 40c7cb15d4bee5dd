import { importJWK, SignJWT } from 'jose';
import { RevocationStore } from '#access/revocation.store.js';
import { SigningKeys } from '#authorization/keys/signing-keys.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { claimsOf } from './oauth-client.js';
import type { RunningServer } from './running-server.js';
import { nowS, TokenIssuer } from './token-issuer.js';

/** What a request can bring to show who calls. */
export const CREDENTIALS = [
  'no token',
  'garbage',
  'an expired token',
  'a token of the wrong audience',
  'a token of the wrong issuer',
  'a token with another signature',
  "another tenant's token",
  'a token with too few scopes',
  'a revoked token',
  'a good token',
] as const;

export type Credential = (typeof CREDENTIALS)[number];
export type Tokens = Readonly<Record<Credential, string | undefined>>;

export interface CredentialPlace {
  readonly running: RunningServer;
  /** The tenant that the tokens are meant for. */
  readonly slug: string;
  readonly origin: string;
  readonly resource: string;
  /** The URL of another tenant of the same issuer. */
  readonly otherResource: string;
}

/** Tokens from the real flow, where it can make them. */
export type RealTokens = Partial<
  Pick<
    Record<Credential, string>,
    "another tenant's token" | 'a token with too few scopes' | 'a revoked token' | 'a good token'
  >
>;

/** One of each kind for a tenant; those that were not had from the real flow are signed with the platform's own key. */
export async function credentialsFor(place: CredentialPlace, real: RealTokens = {}): Promise<Tokens> {
  const { running, resource, otherResource } = place;
  const claims = real['a good token'] === undefined ? await claimsAt(place) : claimsOf(real['a good token']);
  const sign = (change: object): Promise<string> => signAsPlatform(running, { ...claims, ...change });
  const past = { iat: nowS() - 600, exp: nowS() - 60 };
  const stranger = await TokenIssuer.create(await platformKeyId(running));
  return {
    'no token': undefined,
    garbage: 'garbage',
    'an expired token': await sign(past),
    'a token of the wrong audience': await sign({ aud: 'https://elsewhere.example/mcp' }),
    'a token of the wrong issuer': await sign({ iss: 'https://elsewhere.example' }),
    'a token with another signature': await stranger.sign(claims, { typ: 'at+jwt' }),
    "another tenant's token": await sign({ aud: otherResource }),
    'a token with too few scopes': await sign({ scope: 'mcp' }),
    'a revoked token': await revoked(place, sign),
    'a good token': await sign({ aud: resource }),
    ...real,
  };
}

async function claimsAt({ running, slug, origin, resource }: CredentialPlace): Promise<Record<string, unknown>> {
  const tenant = await running.server.app.get(TenantStore).findBySlug(slug);
  return {
    iss: origin,
    aud: resource,
    sub: 'somebody',
    client_id: 'a-host',
    grant: 'a-grant',
    tenant: tenant?.id,
    scope: 'mcp notes:read',
    iat: nowS(),
    exp: nowS() + 300,
  };
}

async function revoked({ running, slug }: CredentialPlace, sign: (change: object) => Promise<string>): Promise<string> {
  const { app } = running.server;
  const tenant = await app.get(TenantStore).findBySlug(slug);
  const grant = 'a-grant-that-was-revoked';
  await app.get(RevocationStore).revoke({ tenantId: tenant!.id, subject: grant }, new Date(Date.now() + 600_000));
  return sign({ grant });
}

async function platformKey({ server }: RunningServer) {
  const { jwks } = await server.app.get(SigningKeys).set();
  return jwks.keys.find(({ alg }) => alg === 'ES256')!;
}

async function platformKeyId(running: RunningServer): Promise<string> {
  return (await platformKey(running)).kid!;
}

async function signAsPlatform(running: RunningServer, claims: Record<string, unknown>): Promise<string> {
  const jwk = await platformKey(running);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: jwk.kid!, typ: 'at+jwt' })
    .sign(await importJWK(jwk));
}
