import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { obeyParent } from './child.js';

/** A bare server that calls `upstream` with undici for each call, and answers in the shape of MCP. */
export interface DirectOptions {
  readonly upstream: string;
}

/** What MCP servers add to every result. */
const SERVER_META = { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } };

interface OrderCall {
  readonly id: number;
  readonly params: { readonly arguments: { readonly id: string } };
}

obeyParent(async ({ upstream }: DirectOptions) => {
  const dispatcher = new Agent();
  const answer = async ({ id, params }: OrderCall): Promise<string> => {
    const url = `${upstream}/orders/${encodeURIComponent(params.arguments.id)}`;
    const { body } = await request(url, { dispatcher, headers: { accept: 'application/json' } });
    const structuredContent = await body.json();
    const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', content, structuredContent, _meta: SERVER_META },
    });
  };
  const server = createServer((incoming, response) => {
    void readBody(incoming)
      .then((body) => answer(JSON.parse(body) as OrderCall))
      .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await Promise.all([dispatcher.destroy(), new Promise((resolve) => server.close(resolve))]);
    },
  };
});

function readBody(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString()));
  });
}
