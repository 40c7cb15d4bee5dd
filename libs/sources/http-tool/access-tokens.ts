import { ShownError } from '#authoring/shown-error.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import type { OutboundRequest } from '#outbound/outbound-request.js';
import { isJsonObject } from '#protocol/json.js';
import { parseJson } from '#protocol/json-text.js';
import type { ClientCredentials } from './credential-definition.js';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 65_536;
/** How long a token is used of which nobody says how long it is good for, in milliseconds. */
const UNTOLD_MS = 300_000;
/** A token is renewed so long before it expires, or after nine tenths of its life if that is later. */
const MARGIN_MS = 60_000;

interface Issued {
  readonly token: string;
  readonly lifeMs: number;
}

interface Held {
  readonly secret: string;
  readonly token: Promise<string>;
  /** By `performance.now()`; known once the token is there. */
  until: number;
}

/** Access tokens by client credentials (RFC 6749 section 4.4), kept until shortly before they expire. */
export class AccessTokens {
  private held: Held | undefined;

  constructor(
    private readonly outbound: Pick<OutboundClient, 'send'>,
    private readonly credential: ClientCredentials,
  ) {}

  /**
   * A token that is good for a while. Those who ask at the same time share one request.
   * @throws ShownError when the authorization server gives none
   */
  async get(secret: string, signal: AbortSignal): Promise<string> {
    const { held } = this;
    if (held?.secret === secret && performance.now() < held.until) return abortable(held.token, signal);
    const issued = this.request(secret);
    const fresh: Held = { secret, token: issued.then(({ token }) => token), until: Infinity };
    this.held = fresh;
    issued.then(
      ({ lifeMs }) => (fresh.until = performance.now() + Math.max(lifeMs - MARGIN_MS, lifeMs * 0.9)),
      () => this.held === fresh && (this.held = undefined),
    );
    return abortable(fresh.token, signal);
  }

  /** Forgets a token that the service refused. */
  async refuse(token: string): Promise<void> {
    const { held } = this;
    if (held && (await held.token.catch(() => undefined)) === token && this.held === held) this.held = undefined;
  }

  private async request(secret: string): Promise<Issued> {
    const limits = { maxBytes: MAX_BYTES, redirects: 0, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const sent = await this.outbound.send(tokenRequest(this.credential, secret), limits).catch(() => undefined);
    if (!sent) throw new ShownError('The server that gives out access tokens did not answer. Try again later.');
    const answer = read(sent.body.toString());
    const { access_token: token, expires_in: seconds } = answer;
    if (sent.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw new ShownError(
        `The server that gives out access tokens refused${reasonIn(answer, secret)}. Its admin must mend the credentials.`,
      );
    }
    return { token, lifeMs: lifeIn(seconds) };
  }
}

function tokenRequest(
  { tokenUrl, clientId, scopes, parameters, authentication }: ClientCredentials,
  secret: string,
): OutboundRequest {
  const url = new URL(tokenUrl);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes && { scope: scopes.join(' ') }),
    ...parameters,
  });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  if (authentication === 'body') {
    form.set('client_id', clientId);
    form.set('client_secret', secret);
  } else {
    const pair = `${formEncoded(clientId)}:${formEncoded(secret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return { method: 'POST', origin: url.origin, path: `${url.pathname}${url.search}`, headers, body: form.toString() };
}

/** RFC 6749 section 2.3.1 and appendix B. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** A token that says to have expired is used by those who asked for it, and not kept. */
function lifeIn(seconds: unknown): number {
  const told = typeof seconds === 'string' && seconds !== '' ? Number(seconds) : seconds;
  return typeof told === 'number' && !Number.isNaN(told) ? Math.max(told, 0) * 1_000 : UNTOLD_MS;
}

function read(text: string): Record<string, unknown> {
  try {
    const value = parseJson(text, 16);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The error's code (RFC 6749 section 5.2), should it be one: a server may send back whatever it was sent. */
function reasonIn({ error }: Record<string, unknown>, secret: string): string {
  return typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) && !error.includes(secret) ? ` (${error})` : '';
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
