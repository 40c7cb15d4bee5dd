import type { ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { describe, expect, it } from '@jest/globals';
import { nowS, TokenIssuer } from '../../test/support/token-issuer.js';
import { placeOf } from '../../test/support/guarded-place.js';
import { AccessTokenStrategy, type TokenRequest } from './access-token.strategy.js';
import { EmbeddedTokens } from './embedded-tokens.js';

const place = placeOf();
const issuer = await TokenIssuer.create('ours');
const strategy = new AccessTokenStrategy();
const tokens = new EmbeddedTokens(
  strategy,
  { find: () => Promise.resolve(issuer.publicKey) },
  { isRevoked: ({ subject }) => Promise.resolve(subject === 'revoked') },
);

/** Passes a request through Nest's guard; returns who it found. */
async function pass(request: TokenRequest): Promise<unknown> {
  const context = { switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }) };
  const Guard = AuthGuard('access-token');
  await new Guard().canActivate(context as unknown as ExecutionContext);
  return (request as TokenRequest & { user: unknown }).user;
}

async function requestWith(changes: object): Promise<TokenRequest> {
  const { origin: iss, resource: aud } = place.address;
  const tenant = place.tenant.id;
  const who = { sub: 'ada', client_id: 'host', scope: 'mcp', grant: 'g', tenant };
  const claims = { iss, aud, ...who, exp: nowS() + 60, ...changes };
  const authorization = `Bearer ${await issuer.sign(claims, { typ: 'at+jwt' })}`;
  return { headers: { authorization }, tokenTerms: tokens.termsFor(place) };
}

describe('the strategy behind a guard', () => {
  it('lets a good token pass', async () => {
    expect(await pass(await requestWith({}))).toMatchObject({ subject: 'ada', clientId: 'host' });
  });

  it.each([{ aud: 'https://other.example' }, { grant: 'revoked' }, { exp: nowS() - 60 }])(
    'refuses one with %j',
    async (changes) => {
      await expect(pass(await requestWith(changes))).rejects.toMatchObject({ status: 401 });
    },
  );

  it('refuses every token where nobody has said on which terms', async () => {
    const { headers } = await requestWith({});
    await expect(pass({ headers })).rejects.toMatchObject({ status: 401 });
    await expect(pass({ headers: {} })).rejects.toMatchObject({ status: 401 });
  });
});
