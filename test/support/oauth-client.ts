import { createHash, randomBytes } from 'node:crypto';
import type { Page, Person } from './person.js';

/** Values of parameters; undefined leaves one out, an array repeats it. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An answer of an endpoint for programs. */
export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, any>>;
}

const REDIRECT_URI = 'http://127.0.0.1:33418/callback';
const verifier = randomBytes(32).toString('base64url');

/** A client as one issuer knows it, which asks with PKCE for the scopes and the resource that the test says. */
export class OAuthClient {
  constructor(
    readonly issuer: string,
    readonly id: string,
    readonly redirectUri: string = REDIRECT_URI,
    /** Sent with every request to the token endpoint and its like. */
    private readonly credentials: Parameters = { client_id: id },
  ) {}

  /** A public client that registers itself. */
  static async register(issuer: string, metadata: object = {}): Promise<OAuthClient> {
    const answer = await register(issuer, metadata);
    if (answer.status !== 201) throw new Error(`Not registered: ${JSON.stringify(answer.body)}`);
    const { client_id: id, client_secret: secret, redirect_uris: redirectUris } = answer.body;
    return new OAuthClient(issuer, id, redirectUris[0], { client_id: id, client_secret: secret });
  }

  /** The same client, asking another node of the issuer. */
  at(place: string): OAuthClient {
    return new OAuthClient(place, this.id, this.redirectUri, this.credentials);
  }

  authorizationUrl(parameters: Parameters): URL {
    const url = new URL('/authorize', this.issuer);
    url.search = formOf({
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      state: 'the-state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    }).toString();
    return url;
  }

  /** What the person's browser brings back to the redirect URI. */
  async authorize(person: Person, parameters: Parameters): Promise<URLSearchParams> {
    return (await person.authorize(this.authorizationUrl(parameters))).searchParams;
  }

  async code(person: Person, parameters: Parameters): Promise<string> {
    const answer = await this.authorize(person, parameters);
    const code = answer.get('code');
    if (code === null) throw new Error(`No code: ${answer.toString()}`);
    return code;
  }

  /** The tokens of a new authorization. */
  async tokens(person: Person, parameters: Parameters): Promise<EndpointAnswer['body']> {
    const answer = await this.redeem(await this.code(person, parameters));
    if (answer.status !== 200) throw new Error(`No tokens: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  redeem(code: string, more: Parameters = {}): Promise<EndpointAnswer> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, code_verifier: verifier };
    return this.post('/token', { ...form, ...more });
  }

  refresh(token: string, more: Parameters = {}): Promise<EndpointAnswer> {
    return this.post('/token', { grant_type: 'refresh_token', refresh_token: token, ...more });
  }

  post(path: string, form: Parameters, headers: Readonly<Record<string, string>> = {}): Promise<EndpointAnswer> {
    return postForm(new URL(path, this.issuer), { ...this.credentials, ...form }, headers);
  }
}

/** Registers a public client; members of the metadata that are given win, undefined leaves one out. */
export async function register(issuer: string, metadata: object = {}): Promise<EndpointAnswer> {
  const all = {
    client_name: 'Test host',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    ...metadata,
  };
  const headers = { 'content-type': 'application/json' };
  return answerOf(await fetch(new URL('/register', issuer), { method: 'POST', headers, body: JSON.stringify(all) }));
}

export async function postForm(
  url: string | URL,
  form: Parameters,
  headers: Readonly<Record<string, string>> = {},
): Promise<EndpointAnswer> {
  return answerOf(await fetch(url, { method: 'POST', headers, body: formOf(form) }));
}

export function basic(id: string, secret: string): { readonly authorization: string } {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The claims of a token, whatever its signature. */
export function claimsOf(token: string): Record<string, any> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** A page, or a failure that says where the browser was sent instead. */
export function asPage(shown: Page | URL): Page {
  if (shown instanceof URL) throw new Error(`No page, but ${shown.href}`);
  return shown;
}

/** A URL elsewhere, or a failure that says which page was shown instead. */
export function asRedirect(shown: Page | URL): URL {
  if (!(shown instanceof URL)) throw new Error(`No redirect, but ${shown.status} at ${shown.url.href}: ${shown.text}`);
  return shown;
}

function formOf(parameters: Parameters): URLSearchParams {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs);
}

async function answerOf(response: Response): Promise<EndpointAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, body: text === '' ? {} : JSON.parse(text) };
}
