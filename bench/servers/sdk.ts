import { createMcpFastifyApp } from '@modelcontextprotocol/fastify';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { obeyParent } from './child.js';
import { ECHO_DESCRIPTION, toolNames } from './tool-names.js';

export interface SdkOptions {
  readonly tools: number;
}

/** The official SDK on Fastify, as its guide "Serve with Fastify" has it. */
obeyParent(async ({ tools }: SdkOptions) => {
  const names = toolNames(tools);
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    for (const name of names) {
      server.registerTool(
        name,
        { description: ECHO_DESCRIPTION, inputSchema: z.object({ text: z.string() }) },
        async ({ text }) => ({
          content: [{ type: 'text', text }],
        }),
      );
    }
    return server;
  });
  const serve = toNodeHandler(handler);
  const app = createMcpFastifyApp();
  app.all('/mcp', (request, reply) => serve(request.raw as NodeIncomingMessageLike, reply.raw, request.body));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: origin,
    close: async () => {
      await handler.close();
      await app.close();
    },
  };
});
