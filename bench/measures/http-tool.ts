import { findsOrder } from '../probe.js';
import { callOrder } from '../requests.js';
import { startServer } from '../server-process.js';
import { compare } from './comparison.js';
import type { Measure } from './measure.js';

const CONNECTIONS = 32;

/** What a registered HTTP tool costs over a bare server that calls the same service with undici. */
export const httpTool: Measure = {
  name: 'http_tool_vs_undici',
  title: 'tools/call of an HTTP tool to a bare server that calls its service with undici',
  ratio: true,
  unit: 'times',
  goal: { atLeast: 0.75 },
  run: async (effort, targets) => {
    const service = await startServer({ program: 'upstream', options: {} });
    const { url: upstream } = service;
    const asked = { request: callOrder, check: findsOrder, connections: CONNECTIONS };
    const httpTools = { upstream, tenants: 1, tools: 1 };
    try {
      return await compare(
        {
          subject: {
            server: { program: 'causeway', options: { tools: [1], httpTools } },
            paths: ['/t/http-0/mcp'],
            ...asked,
          },
          baseline: { server: { program: 'direct', options: { upstream } }, paths: ['/mcp'], ...asked },
        },
        effort,
        targets,
      );
    } finally {
      await service.stop();
    }
  },
};
