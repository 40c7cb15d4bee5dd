import { SERVED_REVISIONS } from '#protocol/revisions.js';

/** What a person who starts the platform needs first: the URL, a line to try it, and the snippet for a host. */
export function banner(url: string): string {
  const [revision] = SERVED_REVISIONS;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'add',
      arguments: { a: 2, b: 3 },
      _meta: { 'io.modelcontextprotocol/protocolVersion': revision, 'io.modelcontextprotocol/clientCapabilities': {} },
    },
  });
  const snippet = JSON.stringify({ mcpServers: { 'causeway-demo': { type: 'http', url } } }, null, 2);
  return `
Causeway is up. The demo tenant:

  ${url}

Try it:

  curl -s ${url} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
    -H 'MCP-Protocol-Version: ${revision}' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: add' \\
    -d '${body}'

or, with the official client, everything a host does:

  node examples/try-demo.mjs ${url}

Paste into your host's configuration:

${snippet.replace(/^/gm, '  ')}

`;
}

/** The same where there is no demo that anybody may call. */
export function closedBanner(origin: string): string {
  return `
Causeway is up at ${origin}. The demo tenant is closed or not there: see docs/production.md, "The address".

`;
}

/** The demo with sign-in. */
export function secureBanner(url: string, email = 'its owner'): string {
  return `The demo with sign-in. Give a host this URL and nothing else; a browser opens, and you sign in as ${email}:

  ${url}

Without a host at hand:

  node examples/sign-in.mjs ${url}

`;
}

/** Where admins register tools. */
export function adminBanner(origin: string): string {
  return `Register tools, resources and prompts while it runs, with the admin API; a page to read and try it:

  ${origin}/admin/v1/docs

`;
}

/** The owner's password, the one time that it is shown. */
export function passwordNotice(email: string, password: string): string {
  return `The owner's account was made just now. Its password is shown this once; OWNER_PASSWORD sets another.

  e-mail    ${email}
  password  ${password}

`;
}
