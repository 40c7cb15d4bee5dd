import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { type AuthorizationOptions, serveAuthorization } from '#authorization/http/serve-authorization.js';
import { type EndpointOptions, serveMcp } from '#bindings/http/mcp-endpoint.js';
import { type MetadataOptions, serveResourceMetadata } from '#bindings/http/resource-metadata.js';
import { answerUnreadablePath } from './unreadable-path.js';

/** How long a client may take to send a request, in milliseconds. */
const RECEIVE_TIMEOUT_MS = 60_000;
/** The largest head of a request, in bytes: tokens of 20 KB are told that they are too long, and not by Node. */
const MAX_HEADER_SIZE = 32 * 1024;
/** How long an idle connection is kept, in milliseconds; longer than proxies commonly do. */
const KEEP_ALIVE_MS = 72_000;
/** The longest part of a path that stands for a value: 256 characters, each of them escaped, with room to spare. */
const MAX_PARAMETER = 1_024;
/** What Node's server bounds. */
const SERVER_LIMITS = {
  requestTimeout: RECEIVE_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  maxHeaderSize: MAX_HEADER_SIZE,
};

type HttpEndpoints = EndpointOptions & MetadataOptions;

/** An HTTP server: once `serve` was called, MCP and OAuth requests go straight to where they are served; all others to Fastify. */
export interface HttpServer {
  readonly fastify: FastifyInstance;
  serve(endpoint: HttpEndpoints, authorization: AuthorizationOptions): void;
  /** Closes connections on which nothing is on its way, and those on which nothing ever came. */
  closeIdle(): void;
}

export function createHttpServer(): HttpServer {
  let served: { readonly endpoint: HttpEndpoints; readonly authorization: AuthorizationOptions } | undefined;
  let closeIdle = (): void => undefined;
  const fastify = createFastify({
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAMETER },
    frameworkErrors: answerUnreadablePath,
    serverFactory: (others) => {
      const server = createServer(SERVER_LIMITS, (request, response) => {
        if (served && serveMcp(served.endpoint, request, response)) return;
        if (served && serveResourceMetadata(served.endpoint, request, response)) return;
        if (served && serveAuthorization(served.authorization, request, response)) return;
        others(request, response);
      });
      closeIdle = idleCloserOf(server);
      return server;
    },
  });
  return {
    fastify,
    closeIdle: () => closeIdle(),
    serve: (endpoint, authorization) => {
      served = { endpoint, authorization };
    },
  };
}

/** Node counts a connection as idle after its first request; browsers open some to have them at hand. */
function idleCloserOf(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    server.closeIdleConnections();
    for (const socket of sockets) {
      if (socket.bytesRead === 0) socket.destroy();
    }
  };
}
