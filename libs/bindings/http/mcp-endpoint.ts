import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reject, type Rejection } from '#protocol/errors.js';
import type { Arrival, Departure } from '#serving/exchange.js';
import { serveRequest } from '#serving/serve-request.js';
import type { Stages } from '#serving/stages.js';
import { preflightFields } from './headers.js';
import { HttpChannel } from './http-channel.js';
import { acceptsBoth, isJsonType } from './media-types.js';
import type { OpenStreams } from './open-streams.js';
import type { OriginPolicy } from './origin-policy.js';
import { HOST_ROUTE, PATH_ROUTE, slugOfHost, type TenantRouting } from './tenant-routing.js';

/** What the routes look like, known before there is anything to serve. */
export interface RouteOptions {
  readonly routing: TenantRouting;
  /** The largest body, in bytes. */
  readonly bodyLimit: number;
}

export interface EndpointOptions {
  readonly stages: Stages;
  readonly origins: OriginPolicy;
  readonly streams: OpenStreams;
  readonly publicOrigin: () => string;
  /** True when the process is on its way out. */
  readonly isStopping: () => boolean;
}

type SlugOf = (request: FastifyRequest, options: EndpointOptions) => string;

/** Where a request goes: the options come when the platform has booted, before it listens. */
type Options = RouteOptions & { readonly current: () => EndpointOptions };

/**
 * The MCP endpoint of every tenant, straight on Fastify: Nest's pipeline runs on handlers, not on the wire. To be
 * registered, and awaited, before Nest has the instance, so that the hooks that Nest adds do not run here. Bodies are read
 * as bytes and parsed by the serving line, so that what is wrong with them is told in MCP's own words.
 */
export async function mcpEndpoint(
  fastify: FastifyInstance,
  routes: RouteOptions,
  current: () => EndpointOptions,
): Promise<void> {
  const options: Options = { ...routes, current };
  await fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    // The first is found without looking at it; the second takes what will be refused, so that it is told after access.
    for (const type of ['application/json', '*']) {
      scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: routes.bodyLimit }, (_request, body, parsed) =>
        parsed(null, body),
      );
    }
    scope.setErrorHandler((error, request, reply) => refuse(current(), request, reply, explain(error, options)));
    if (routes.routing !== 'host') route(scope, PATH_ROUTE, options, slugInPath);
    if (routes.routing !== 'path') route(scope, HOST_ROUTE, options, slugInHost);
    done();
  });
}

function slugInPath({ params }: FastifyRequest): string {
  return (params as { slug: string }).slug;
}

function slugInHost({ headers }: FastifyRequest, { publicOrigin }: EndpointOptions): string {
  return slugOfHost(headers.host, publicOrigin());
}

function route(scope: FastifyInstance, url: string, { current }: Options, slugOf: SlugOf): void {
  scope.route({
    method: ['POST', 'GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'],
    url,
    handler: (request, reply) => {
      const options = current();
      serve(options, request, reply, slugOf(request, options));
    },
  });
  scope.options(url, (request, reply) => preflight(current(), request, reply));
}

function serve(options: EndpointOptions, request: FastifyRequest, reply: FastifyReply, slug: string): void {
  const { headers } = request.raw;
  const { origin } = headers;
  const untrusted = checkOrigin(options.origins, origin, headers.host);
  if (untrusted) {
    refuse(options, request, reply, untrusted);
    return;
  }
  reply.hijack();
  const channel = new HttpChannel(reply.raw, origin, options.streams);
  if (options.isStopping()) {
    reply.raw.setHeader('connection', 'close');
    channel.reject(reject('unavailable', 'The server is stopping. Send the request again.'));
    return;
  }
  const body = request.body as Buffer | undefined;
  const refusal = checkRequest(request, body);
  const arrival: Arrival = { slug, fields: headers, body: refusal || !body ? '' : body.toString(), refusal };
  serveRequest(options.stages, arrival, channel).then(
    (departure: Departure) => channel.depart(departure),
    (error: unknown) => {
      options.stages.onFailure(error);
      channel.reject(reject('internal_error', 'Something went wrong on the server.'));
    },
  );
}

/** What is wrong with the HTTP of the request, told after access. */
function checkRequest(request: FastifyRequest, body: Buffer | undefined): Rejection | undefined {
  const { method, headers } = request.raw;
  if (method !== 'POST') return reject('method_not_allowed', 'The MCP endpoint takes POST: send each message as one.');
  if (!isJsonType(headers['content-type']))
    return reject('unsupported_media_type', 'Send the message as Content-Type: application/json.');
  if (!acceptsBoth(headers.accept))
    return reject('not_acceptable', 'Send Accept: application/json, text/event-stream.');
  if (body && !isUtf8(body)) return reject('parse_error', 'The body is not UTF-8.');
  return undefined;
}

function checkOrigin(
  origins: OriginPolicy,
  origin: string | undefined,
  host: string | undefined,
): Rejection | undefined {
  if (origin !== undefined && !origins.allowsOrigin(origin)) {
    return reject('forbidden_origin', 'Pages of this origin may not call. Its operator can add it to ALLOWED_ORIGINS.');
  }
  return origins.allowsHost(host ?? '')
    ? undefined
    : reject('forbidden_origin', 'The server does not answer to this Host.');
}

function preflight(options: EndpointOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { origin, host } = request.headers;
  const untrusted = checkOrigin(options.origins, origin, host);
  if (untrusted) {
    refuse(options, request, reply, untrusted);
    return;
  }
  reply.hijack();
  reply.raw.writeHead(204, preflightFields(origin, request.headers['access-control-request-headers'])).end();
}

/** Writes a rejection for a request that never reached the serving line. */
function refuse(options: EndpointOptions, request: FastifyRequest, reply: FastifyReply, rejection: Rejection): void {
  const { origin } = request.headers;
  const trusted = origin !== undefined && options.origins.allowsOrigin(origin) ? origin : undefined;
  reply.hijack();
  new HttpChannel(reply.raw, trusted, options.streams).reject(rejection);
}

function explain(error: unknown, { bodyLimit, current }: Options): Rejection {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return reject('payload_too_large', `The body is larger than ${bodyLimit} bytes.`);
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return reject('invalid_request', 'The body is not as long as Content-Length says.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return reject('unsupported_media_type', 'Send the message as Content-Type: application/json.');
  current().stages.onFailure(error);
  return reject('internal_error', 'Something went wrong on the server.');
}
