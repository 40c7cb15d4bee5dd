import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuthClient } from './oauth-client.js';

export interface ClientSettings {
  /** The issuer to register with. */
  readonly issuer: string;
  readonly name?: string;
  /** A place of its own on the loopback interface otherwise, where it listens. */
  readonly redirectUri?: string;
  /** Where the browser is sent from there, when it is not to stay. */
  readonly sendsOnTo?: string;
}

/** An application that has registered itself, with a place where a real browser comes back to. */
export class ClientApplication implements AsyncDisposable {
  private constructor(
    readonly oauth: OAuthClient,
    private readonly place: CallbackPlace,
  ) {}

  static async register(settings: ClientSettings): Promise<ClientApplication> {
    const { issuer, name = 'Test host', redirectUri, sendsOnTo } = settings;
    const place = await CallbackPlace.open(sendsOnTo);
    const oauth = await OAuthClient.register(issuer, {
      client_name: name,
      redirect_uris: [redirectUri ?? place.url],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    });
    return new ClientApplication(oauth, place);
  }

  /** The next time that the browser comes back. */
  callback(): Promise<URL> {
    return this.place.next();
  }

  /** How often the browser has come back. */
  get callbacks(): number {
    return this.place.visits;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.place.close();
  }
}

const PAGE =
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Done</title><h1>Back at the client</h1>';

class CallbackPlace {
  visits = 0;
  private readonly waiting: ((callback: URL) => void)[] = [];
  private readonly server = createServer(({ url = '' }, response) => {
    if (this.sendsOnTo === undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else response.writeHead(307, { location: this.sendsOnTo }).end();
    this.visits += 1;
    for (const resolve of this.waiting.splice(0)) resolve(new URL(url, this.url));
  });

  private constructor(private readonly sendsOnTo: string | undefined) {}

  static async open(sendsOnTo: string | undefined): Promise<CallbackPlace> {
    const place = new CallbackPlace(sendsOnTo);
    await new Promise<void>((resolve) => place.server.listen(0, '127.0.0.1', resolve));
    return place;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`;
  }

  next(): Promise<URL> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
