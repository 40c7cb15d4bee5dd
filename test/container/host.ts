import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OAuthHost } from '../support/oauth-host.js';
import type { Person } from '../support/person.js';
import { REVISION } from '../support/wire.js';

/** An AI host, the official client, that keeps its tokens from one connection to the next. */
export class Host {
  private readonly kept: OAuthHost;

  constructor(
    private readonly url: URL,
    person: Person,
  ) {
    this.kept = new OAuthHost(person);
  }

  /** How often its person had to sign in or consent. */
  get timesAsked(): number {
    return this.kept.authorizations.length;
  }

  /** Connects as a host does that was told only the URL. */
  async connect(): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(this.url, { authProvider: this.kept });
    try {
      return await this.open(transport);
    } catch (error) {
      if (this.timesAsked === 0 || !this.kept.callback) throw error;
      await transport.finishAuth(this.kept.callback.searchParams);
      return this.open(new StreamableHTTPClientTransport(this.url, { authProvider: this.kept }));
    }
  }

  private async open(transport: StreamableHTTPClientTransport): Promise<Client> {
    const client = new Client({ name: 'container', version: '1' }, { versionNegotiation: { mode: { pin: REVISION } } });
    await client.connect(transport);
    return client;
  }
}
