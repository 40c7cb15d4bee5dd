import type { FastifyInstance } from 'fastify';

export interface Readiness {
  /** Rejects when the database does not answer in time. */
  ping(): Promise<void>;
  /** True from the moment the process is told to stop. */
  isStopping(): boolean;
}

/** `/healthz`: the process runs. `/readyz`: it can serve. `/`: a word for people who open the address in a browser. */
export function healthRoutes(fastify: FastifyInstance, readiness: Readiness): void {
  fastify.get('/', () => 'Causeway serves MCP. Give an MCP host the URL of a tenant, such as /t/demo/mcp here.\n');
  fastify.get('/healthz', () => ({ status: 'ok' }));
  fastify.get('/readyz', async (_request, reply) => {
    const reason = readiness.isStopping() ? 'stopping' : await unreachable(readiness);
    if (reason === undefined) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable', reason });
  });
}

async function unreachable(readiness: Readiness): Promise<string | undefined> {
  return readiness.ping().then(
    () => undefined,
    () => 'the database does not answer',
  );
}
