import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { isJsonObject } from '#protocol/json.js';
import { NO_CREDENTIALS, readBearer } from './credentials.js';
import { KeysUnavailableError } from './key-source.js';
import { CLOCK_TOLERANCE_S } from './token-claims.js';
import { readTokenHeader } from './token-header.js';
import { SIGNATURES, type TokenTerms } from './token-terms.js';
import type { TokenRefusal, VerifiedToken } from './token-verifier.js';

/** A request as the strategy wants it. A guard that uses it puts the terms there first; without them no token is good. */
export interface TokenRequest {
  readonly headers: { readonly authorization?: string | undefined };
  readonly tokenTerms?: TokenTerms;
}

/** A token is not good. Whoever showed it is told at most whether it has expired. */
export class TokenFault extends Error {
  constructor(reason: string) {
    super(`The access token is not good: ${reason}.`);
    this.name = 'TokenFault';
  }
}

type KeyCallback = (error: Error | null, key?: string | Buffer) => void;

/**
 * Verifies a signed access token: signature with the issuer's key, `exp` and `nbf` with 30 seconds of tolerance, and the
 * rest on the terms that the request brings. For `AuthGuard('access-token')`, and for `runStrategy` without a guard.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, 'access-token') {
  constructor() {
    super({
      jwtFromRequest: tokenOf,
      secretOrKeyProvider: (request: TokenRequest, token: string, done: KeyCallback) =>
        provideKey(request, token, done),
      algorithms: [...SIGNATURES],
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the one way to give a tolerance
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_S },
      passReqToCallback: true,
    });
  }

  /** Called by passport when signature and times are good; false and why when the token is not good all the same. */
  async validate({ tokenTerms: terms }: TokenRequest, claims: unknown): Promise<VerifiedToken | [false, TokenFault]> {
    const token = terms && isJsonObject(claims) ? terms.read(claims) : undefined;
    if (!terms || !token) return [false, new TokenFault('it is not for this place')];
    return (await terms.isRevoked(token)) ? [false, new TokenFault('it was revoked')] : token;
  }
}

/** What came of a token. @throws when it cannot be told just now */
export function runStrategy(
  strategy: AccessTokenStrategy,
  request: TokenRequest,
): Promise<VerifiedToken | TokenRefusal> {
  return new Promise((resolve, reject) => {
    // As passport does: one object a request, which has the strategy as its prototype and is told the outcome.
    const run = Object.create(strategy) as AccessTokenStrategy & Record<'success' | 'fail' | 'error', unknown>;
    run.success = resolve;
    run.fail = (reason: unknown) => {
      if (reason instanceof KeysUnavailableError) reject(reason);
      else resolve(reason instanceof Error && reason.name === 'TokenExpiredError' ? 'expired' : 'invalid');
    };
    run.error = reject;
    run.authenticate(request as Parameters<AccessTokenStrategy['authenticate']>[0]);
  });
}

function tokenOf({ headers }: TokenRequest): string | null {
  const shown = readBearer({ ...NO_CREDENTIALS, authorization: headers.authorization });
  return 'token' in shown ? shown.token : null;
}

function provideKey({ tokenTerms: terms }: TokenRequest, token: string, done: KeyCallback): void {
  const header = readTokenHeader(token);
  if (!terms || !header || !terms.takesHeader(header)) {
    done(new TokenFault('its header is not of the kind that is taken'));
    return;
  }
  terms.keys.find(header.kid, header.alg).then(
    // A KeyObject is taken as it is, whatever the types of passport-jwt say.
    (key) => (key ? done(null, key as unknown as Buffer) : done(new TokenFault('its key is not known'))),
    (error: unknown) =>
      done(error instanceof KeysUnavailableError ? error : new KeysUnavailableError('the issuer', { cause: error })),
  );
}
