import { type Limit, RateLimiter } from '#authorization/http/rate-limit.js';
import { networkOf } from '#authorization/accounts/sign-in.js';
import { Problem } from '../http/problem.js';
import type { AdminCaller } from './admin-caller.js';
import type { AdminTokens } from './admin-tokens.js';

/** How many bad tokens one address may show before it is told to wait. */
const FAILURES: Limit = { requests: 30, windowMs: 60_000 };

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const MAX_HEADER = 20_000;

/** Finds out who calls, by the bearer token (RFC 6750). */
export class AdminAuthenticator {
  private readonly failures = new RateLimiter();

  /**
   * @param kinds asked one after the other
   * @param metadataUrl where the document is that says where tokens come from (RFC 9728), if there is one
   */
  constructor(
    private readonly kinds: readonly AdminTokens[],
    private readonly metadataUrl: () => string | undefined,
  ) {}

  /** @throws Problem `unauthorized`, `too_many_requests` */
  async authenticate(authorization: string | undefined, address: string): Promise<AdminCaller> {
    if (authorization === undefined) throw this.unauthorized('Send a key: `Authorization: Bearer cwk_…`.');
    const token = authorization.length > MAX_HEADER ? undefined : BEARER.exec(authorization)?.[1];
    const caller = token === undefined ? undefined : await this.callerOf(token);
    if (caller) return caller;
    const waitMs = this.failures.take(networkOf(address), FAILURES);
    if (waitMs === undefined) throw this.unauthorized('The key or token is not good (any more).', 'invalid_token');
    throw new Problem('too_many_requests', 'Too many bad keys came from your address.', {
      headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
    });
  }

  private async callerOf(token: string): Promise<AdminCaller | undefined> {
    for (const kind of this.kinds) {
      const caller = await kind.verify(token);
      if (caller !== undefined) return caller === 'invalid' ? undefined : caller;
    }
    return undefined;
  }

  private unauthorized(detail: string, error?: string): Problem {
    const url = this.metadataUrl();
    const parameters = [
      'realm="admin"',
      ...(url === undefined ? [] : [`resource_metadata="${url}"`]),
      ...(error === undefined ? [] : [`error="${error}"`]),
    ];
    return new Problem('unauthorized', detail, { headers: { 'www-authenticate': `Bearer ${parameters.join(', ')}` } });
  }
}
