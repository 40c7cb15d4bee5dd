import { fastify } from 'fastify';
import { obeyParent } from './child.js';

/** What MCP servers add to every result. */
const SERVER_META = { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } };

/** The route echoes the call's text in a tool result, or, when `bytes` is given, sends these. */
export interface BareOptions {
  readonly bytes?: string;
}

interface EchoCall {
  readonly Body: { readonly id: number; readonly params: { readonly arguments: { readonly text: string } } };
}

obeyParent(async ({ bytes }: BareOptions) => {
  const app = fastify();
  if (bytes === undefined) {
    app.post<EchoCall>('/mcp', async (request) => ({
      jsonrpc: '2.0',
      id: request.body.id,
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: request.body.params.arguments.text }],
        _meta: SERVER_META,
      },
    }));
  } else {
    const payload = Buffer.from(bytes);
    app.post('/mcp', async (_request, reply) => reply.type('application/json').send(payload));
  }
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: origin, close: () => app.close() };
});
