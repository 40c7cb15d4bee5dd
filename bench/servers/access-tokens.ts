import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { SigningKeys } from '#authorization/keys/signing-keys.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import type { CausewayServer } from '#server/create-server.js';

/** Access tokens as the authorization server signs them, each of another person, for the tenant `bench-oauth`. */
export async function accessTokens({ app, url }: CausewayServer, count: number): Promise<readonly string[]> {
  if (count === 0) return [];
  const tenant = await app.get(TenantStore).findBySlug('bench-oauth');
  const { jwks } = await app.get(SigningKeys).set();
  const jwk = jwks.keys.find(({ alg }) => alg === 'ES256');
  if (!jwk) throw new Error('There is no key to sign with.');
  const key = await importJWK(jwk, 'ES256');
  const tokens: string[] = [];
  for (let index = 0; index < count; index++) {
    const claims = { scope: 'mcp', client_id: 'bench', tenant: tenant?.id, grant: randomUUID(), jti: randomUUID() };
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid ?? '' })
      .setIssuer(url)
      .setAudience(`${url}/t/bench-oauth/mcp`)
      .setSubject(randomUUID())
      .setIssuedAt()
      .setExpirationTime('2h');
    tokens.push(await token.sign(key));
  }
  return tokens;
}
