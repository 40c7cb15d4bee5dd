import { createServer } from 'node:http';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { type EndpointOptions, serveMcp } from '#bindings/http/mcp-endpoint.js';

/** How long a client may take to send a request, in milliseconds. */
const RECEIVE_TIMEOUT_MS = 60_000;
/** How long an idle connection is kept, in milliseconds; longer than proxies commonly do. */
const KEEP_ALIVE_MS = 72_000;

/** An HTTP server: MCP requests go straight to the endpoint once `serve` was called, all others to Fastify. */
export interface HttpServer {
  readonly fastify: FastifyInstance;
  serve(options: EndpointOptions): void;
}

export function createHttpServer(): HttpServer {
  let endpoint: EndpointOptions | undefined;
  const fastify = createFastify({
    forceCloseConnections: 'idle',
    serverFactory: (others) =>
      createServer({ requestTimeout: RECEIVE_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
        if (!endpoint || !serveMcp(endpoint, request, response)) others(request, response);
      }),
  });
  return {
    fastify,
    serve: (options) => {
      endpoint = options;
    },
  };
}
