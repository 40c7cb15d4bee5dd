import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { type EndpointOptions, mcpEndpoint } from '#bindings/http/mcp-endpoint.js';
import type { Environment } from './config/config.js';

/** How long a client may take to send a request, in milliseconds. */
const RECEIVE_TIMEOUT_MS = 60_000;

/** An HTTP server with the MCP routes, which answer once `serve` has said what they serve. */
export interface HttpServer {
  readonly fastify: FastifyInstance;
  serve(options: EndpointOptions): void;
}

/** Made before Nest, whose hooks are then not in the way of the MCP routes (docs/decisions/mcp-route-on-fastify.md). */
export async function createHttpServer({ TENANT_ROUTING, BODY_LIMIT }: Environment): Promise<HttpServer> {
  const fastify = createFastify({
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: RECEIVE_TIMEOUT_MS,
    routerOptions: { maxParamLength: 100 },
  });
  let options: EndpointOptions | undefined;
  await mcpEndpoint(fastify, { routing: TENANT_ROUTING, bodyLimit: BODY_LIMIT }, () => {
    if (!options) throw new Error('The platform has not booted yet.');
    return options;
  });
  return {
    fastify,
    serve: (given) => {
      options = given;
    },
  };
}
