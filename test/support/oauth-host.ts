import {
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Person } from './person.js';

export interface HostOptions {
  readonly redirectUrl?: string;
  readonly clientMetadataUrl?: string;
  readonly clientInformation?: StoredOAuthClientInformation;
}

/** What an AI host keeps for one MCP server; the person of the test sits in front of its browser. */
export class OAuthHost implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  /** Where the browser was sent, in order. */
  readonly authorizations: URL[] = [];
  /** What came back to the redirect URI. */
  callback: URL | undefined;
  client: StoredOAuthClientInformation | undefined;
  kept: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;

  constructor(
    private readonly person: Person,
    options: HostOptions = {},
  ) {
    this.redirectUrl = options.redirectUrl ?? 'http://127.0.0.1:33418/callback';
    this.client = options.clientInformation;
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Test host',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.kept;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.kept = tokens;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.authorizations.push(url);
    this.callback = await this.person.authorize(url);
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }
}
