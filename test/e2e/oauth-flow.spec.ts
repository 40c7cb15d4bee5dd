import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runDocumentServer } from '../support/document-server.js';
import { OAuthHost } from '../support/oauth-host.js';
import type { RunningServer } from '../support/running-server.js';
import { personOf, registeredClient, runSecureDemo } from '../support/secure-demo.js';
import { REVISION } from '../support/wire.js';

const PINNED = { versionNegotiation: { mode: { pin: REVISION } } } as const;

interface Connection extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** Connects as a host does: told only the URL. The browser part happens when the client asks for it. */
async function connect(url: string, host: OAuthHost): Promise<Connection> {
  const first = new StreamableHTTPClientTransport(new URL(url), { authProvider: host });
  try {
    return await open(first);
  } catch (error) {
    if (!host.callback) throw error;
    await first.finishAuth(host.callback.searchParams);
    return open(new StreamableHTTPClientTransport(new URL(url), { authProvider: host }));
  }
}

async function open(transport: StreamableHTTPClientTransport): Promise<Connection> {
  const client = new Client({ name: 'flow', version: '1' }, PINNED);
  await client.connect(transport);
  return { client, transport, [Symbol.asyncDispose]: () => client.close() };
}

describe("the official client's OAuth flow", () => {
  let demo: RunningServer;
  beforeAll(async () => {
    demo = await runSecureDemo({ environment: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  });
  afterAll(async () => demo[Symbol.asyncDispose]());

  it('goes from a URL to a token, steps up to a second scope and refreshes silently', async () => {
    const host = new OAuthHost(await personOf(demo, ['demo-secure']));
    await using connection = await connect(demo.url('demo-secure'), host);
    const { client, transport } = connection;

    expect(host.kept?.scope).toBe('mcp notes:read');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('write_note');
    const before = await client.callTool({ name: 'who_am_i', arguments: {} });
    expect(before.structuredContent).toMatchObject({ scopes: ['mcp', 'notes:read'] });

    const write = { name: 'write_note', arguments: { name: 'from-the-flow', text: 'Hello' } };
    await expect(client.callTool(write)).rejects.toThrow();
    expect(host.authorizations).toHaveLength(2);
    expect(host.authorizations[1]?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['mcp', 'notes:read', 'notes:write']),
    );
    await transport.finishAuth(host.callback!.searchParams);
    await expect(client.callTool(write)).resolves.toMatchObject({ content: [{ type: 'text' }] });
    const { contents } = await client.readResource({ uri: 'notes://from-the-flow' });
    expect(contents[0]).toMatchObject({ text: 'Hello' });

    const spoilt = host.kept as NonNullable<typeof host.kept>;
    host.kept = { ...spoilt, access_token: `${spoilt.access_token.slice(0, -6)}AAAAAA` };
    const after = await client.callTool({ name: 'who_am_i', arguments: {} });
    expect(after.structuredContent).toMatchObject({ scopes: ['mcp', 'notes:read', 'notes:write'] });
    expect(host.authorizations).toHaveLength(2);
    expect(host.kept.refresh_token).not.toBe(spoilt.refresh_token);
  });

  it('takes a client id document in place of a registration', async () => {
    await using site = await runDocumentServer();
    const clientId = `${site.origin}/client.json`;
    site.documents.set('/client.json', {
      client_id: clientId,
      client_name: 'Host with a document',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const host = new OAuthHost(await personOf(demo, ['demo-secure']), { clientMetadataUrl: clientId });
    await using connection = await connect(demo.url('demo-secure'), host);

    const { structuredContent } = await connection.client.callTool({ name: 'who_am_i', arguments: {} });
    expect(structuredContent).toMatchObject({ client: clientId, scopes: ['mcp', 'notes:read'] });
    expect(site.asked).toEqual(['/client.json']);
  });

  it('lets an agent in with client credentials, for the scopes that its admin gave it', async () => {
    const { id, secret } = await registeredClient(demo, 'demo-secure', {
      client_name: 'Agent',
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'mcp notes:read',
    });
    const provider = new ClientCredentialsProvider({
      clientId: id,
      clientSecret: secret,
      expectedIssuer: demo.server.url,
    });
    const transport = new StreamableHTTPClientTransport(new URL(demo.url('demo-secure')), { authProvider: provider });
    await using connection = await open(transport);

    const { structuredContent } = await connection.client.callTool({ name: 'who_am_i', arguments: {} });
    expect(structuredContent).toEqual({ subject: id, client: id, scopes: ['mcp', 'notes:read'] });
    const { structuredContent: notes } = await connection.client.callTool({ name: 'list_notes', arguments: {} });
    expect(notes).toEqual({ names: ['welcome'] });
  });
});
