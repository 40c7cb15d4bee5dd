import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The official client, connected to an endpoint that asks for no token, in the revision that is served. */
export async function officialClient(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
