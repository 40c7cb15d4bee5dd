import { fastify } from 'fastify';
import { Agent, request } from 'undici';
import { obeyParent } from './child.js';

/** A route that calls `upstream` with undici for each call, and answers in the shape of MCP. */
export interface DirectOptions {
  readonly upstream: string;
}

/** What MCP servers add to every result. */
const SERVER_META = { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } };

interface OrderCall {
  readonly Body: { readonly id: number; readonly params: { readonly arguments: { readonly id: string } } };
}

obeyParent(async ({ upstream }: DirectOptions) => {
  const dispatcher = new Agent();
  const app = fastify();
  app.post<OrderCall>('/mcp', async ({ body: call }) => {
    const url = `${upstream}/orders/${encodeURIComponent(call.params.arguments.id)}`;
    const { body } = await request(url, { dispatcher, headers: { accept: 'application/json' } });
    const structuredContent = await body.json();
    return {
      jsonrpc: '2.0',
      id: call.id,
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
        structuredContent,
        _meta: SERVER_META,
      },
    };
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: origin,
    close: async () => {
      await app.close();
      await dispatcher.destroy();
    },
  };
});
