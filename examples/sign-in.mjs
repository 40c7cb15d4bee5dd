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

const client = new Client(
  { name: 'sign-in', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
let transport;
const connect = () => client.connect((transport = new StreamableHTTPClientTransport(url, { authProvider })));

/** Does it, and once more after the person has said yes. */
async function asking(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const before = kept.tokens?.scope;
    await transport.finishAuth(await kept.answer);
    if (kept.tokens.scope === before) throw new Error('your role does not permit it', { cause: error });
    return work();
  }
}

/** Calls a tool and shows what comes back, or why nothing does. */
async function call(label, name, args = {}) {
  const result = await asking(() => client.callTool({ name, arguments: args })).catch(({ message }) => ({
    content: [{ text: `not possible: ${message}` }],
  }));
  console.log(label.padEnd(9), result.structuredContent ?? result.content[0].text);
}

try {
  await asking(connect).catch((error) => {
    const advice = kept.answer ? '' : ' Is it running (npm start), and is this the URL that it printed?';
    throw new Error(`Cannot connect to ${url}.${advice}\n${error.message}`, { cause: error });
  });
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === 'who_am_i')) {
    throw new Error(`${url} has no tool who_am_i: this example calls the tools of the module "notes".`);
  }
  await call('who am I', 'who_am_i');
  await call('notes', 'list_notes');
  await call('write', 'write_note', { name: 'hello', text: 'From the example.' });
  await call('notes', 'list_notes');
  console.log('scopes   ', kept.tokens?.scope);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await client.close();
  listener.close();
}
