import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ClientSettings {
  /** The issuer to register with. */
  readonly issuer: string;
  readonly name?: string;
  /** A place of its own on the loopback interface otherwise. */
  readonly redirectUri?: string;
  /** More of the client's metadata. */
  readonly metadata?: object;
}

export interface AuthorizationParameters {
  readonly resource: string;
  readonly scope?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A JSON answer of an OAuth endpoint. */
export interface OAuthAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, any>>;
}

/** An application that has registered itself, with a place where the browser comes back to. */
export class ClientApplication implements AsyncDisposable {
  /** What the browser came back with, in order. */
  readonly callbacks: URL[] = [];
  private readonly waiting: ((callback: URL) => void)[] = [];
  private readonly verifier = randomBytes(32).toString('base64url');
  private readonly server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Done</title><h1>Back at the client</h1>',
    );
    if (request.url?.startsWith('/callback') === true)
      this.take(new URL(request.url, `http://${request.headers.host}`));
  });
  private constructor(
    readonly issuer: string,
    readonly name: string,
  ) {}

  clientId = '';
  redirectUri = '';

  static async register({
    issuer,
    name = 'Test host',
    redirectUri,
    metadata = {},
  }: ClientSettings): Promise<ClientApplication> {
    const application = new ClientApplication(issuer, name);
    application.redirectUri = redirectUri ?? (await application.listen());
    const { body } = await postJson(`${issuer}/register`, {
      client_name: name,
      redirect_uris: [application.redirectUri],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    });
    application.clientId = body['client_id'];
    return application;
  }

  /** Where to send the browser. */
  authorizationUrl({ resource, scope, parameters = {} }: AuthorizationParameters): string {
    const url = new URL('/authorize', this.issuer);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      state: 'state of the client',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
      ...(scope !== undefined && { scope }),
      ...parameters,
    }).toString();
    return url.href;
  }

  /** The next time that the browser comes back. */
  callback(): Promise<URL> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Redeems a code that came back. */
  redeem(code: string): Promise<OAuthAnswer> {
    return this.post('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
    });
  }

  /** Posts a form to an endpoint, as this client. */
  async post(path: string, form: Readonly<Record<string, string>>): Promise<OAuthAnswer> {
    const body = new URLSearchParams({ client_id: this.clientId, ...form });
    return answerOf(await fetch(new URL(path, this.issuer), { method: 'POST', body }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`;
  }

  private take(callback: URL): void {
    this.callbacks.push(callback);
    for (const resolve of this.waiting.splice(0)) resolve(callback);
  }
}

async function postJson(url: string, body: object): Promise<OAuthAnswer> {
  const headers = { 'content-type': 'application/json' };
  return answerOf(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function answerOf(response: Response): Promise<OAuthAnswer> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}
