// A host with sign-in, with the official client: node examples/sign-in.mjs [URL]
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const url = new URL(process.argv[2] ?? 'http://127.0.0.1:3000/t/demo-secure/mcp');

// Where the browser comes back to: a port of this computer.
const callbacks = [];
const listener = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
  if (pathname !== '/callback') return response.writeHead(404).end();
  response.end('You can close this page, and look at the terminal.\n');
  return callbacks.shift()?.(searchParams);
}).listen(0, '127.0.0.1');
await once(listener, 'listening');

// What a host keeps of one server. A real one keeps it on disk, and the tokens in the keychain.
const kept = {};
const authProvider = {
  redirectUrl: `http://127.0.0.1:${listener.address().port}/callback`,
  clientMetadata: {
    client_name: 'The sign-in example',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => (kept.verifier = verifier),
  discoveryState: () => kept.discovery,
  saveDiscoveryState: (state) => (kept.discovery = state),
  redirectToAuthorization: (link) => {
    kept.answer = new Promise((resolve) => callbacks.push(resolve));
    console.log(`\nOpen this in a browser, and sign in:\n\n  ${link}\n`);
  },
};

/** Does it, and once more after the person has said yes. */
async function asking(transport, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await kept.answer);
    return work();
  }
}

const client = new Client(
  { name: 'sign-in', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
let transport;
const connect = () => client.connect((transport = new StreamableHTTPClientTransport(url, { authProvider })));

await asking({ finishAuth: (answer) => transport.finishAuth(answer) }, connect).catch((error) => {
  console.error(`Cannot connect to ${url}: ${error.message}`);
  process.exit(1);
});
const call = (name, args = {}) => asking(transport, () => client.callTool({ name, arguments: args }));

console.log('who am I ', (await call('who_am_i')).structuredContent);
console.log('notes    ', (await call('list_notes')).structuredContent);
console.log('write    ', (await call('write_note', { name: 'hello', text: 'From the example.' })).content[0].text);
console.log('notes    ', (await call('list_notes')).structuredContent);
console.log('scopes   ', kept.tokens.scope);
await client.close();
listener.close();
