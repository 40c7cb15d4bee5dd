import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { reject, type Rejection } from '#protocol/errors.js';
import type { Arrival } from '#serving/exchange.js';
import { serveRequest } from '#serving/serve-request.js';
import type { Stages } from '#serving/stages.js';
import { wantsToken } from '#serving/wants-token.js';
import { credentialsOf } from './credentials.js';
import { preflightFields } from './headers.js';
import { HttpChannel } from './http-channel.js';
import { acceptsBoth, isJsonType } from './media-types.js';
import type { OpenStreams } from './open-streams.js';
import type { OriginPolicy } from './origin-policy.js';
import { type Body, readBody } from './read-body.js';
import { addressOf, type TenantAddress, type TenantPlaces } from '#tenancy/tenant-address.js';

export interface EndpointOptions extends TenantPlaces {
  readonly stages: Stages;
  readonly origins: OriginPolicy;
  readonly streams: OpenStreams;
  /** The largest body, in bytes. */
  readonly bodyLimit: number;
  /** True when the process is on its way out. */
  readonly isStopping: () => boolean;
}

/**
 * The MCP endpoint of every tenant, straight on Node's server (docs/decisions/mcp-route-on-the-server.md). Takes a request
 * if it is for one, and says so. Bodies are read as bytes and parsed by the serving line, so that what is wrong with them
 * is told after access, in MCP's own words.
 */
export function serveMcp(options: EndpointOptions, request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '', headers } = request;
  const address = addressOf(url, headers.host, options);
  if (!address) return false;
  const { origins, stages, streams } = options;
  if (!origins.allowsHost(headers.host ?? '')) {
    new HttpChannel(response, undefined, streams).reject(FOREIGN_HOST);
  } else if (headers.origin === undefined || origins.allowsOrigin(headers.origin)) {
    receive(options, request, response, address);
  } else {
    // A foreign page rides on nothing that a browser has where only a token counts (docs/decisions/any-origin-with-a-token.md).
    void Promise.resolve(wantsToken(stages, address.slug)).then((wants) => {
      if (wants) receive(options, request, response, address);
      else new HttpChannel(response, undefined, streams).reject(FOREIGN_ORIGIN);
    });
  }
  return true;
}

const FOREIGN_HOST = reject(
  'forbidden_origin',
  'The server does not answer to this Host. Its operator can make it the PUBLIC_URL.',
);
const FOREIGN_ORIGIN = reject(
  'forbidden_origin',
  'Pages of this origin may not call. Its operator can add it to ALLOWED_ORIGINS.',
);

/** Takes a request whose origin is in order. */
function receive(
  options: EndpointOptions,
  request: IncomingMessage,
  response: ServerResponse,
  address: TenantAddress,
): void {
  const { method, headers } = request;
  const channel = new HttpChannel(response, headers.origin, options.streams);
  if (method === 'OPTIONS') preflight(request, response);
  else if (options.isStopping()) refuseStopping(response, channel);
  else if (method === 'POST') {
    readBody(request, options.bodyLimit, (body) => {
      if (body === 'too large') response.setHeader('connection', 'close');
      serve(options, arrivalOf(request, address, body, options.bodyLimit), channel);
    });
  } else {
    const refusal = reject('method_not_allowed', 'The MCP endpoint takes POST: send each message as one.');
    serve(options, { address, credentials: credentialsOf(request), fields: headers, body: '', refusal }, channel);
  }
}

function serve({ stages }: EndpointOptions, arrival: Arrival, channel: HttpChannel): void {
  const failed = (error: unknown): void => {
    stages.onFailure(error);
    channel.reject(reject('internal_error', 'Something went wrong on the server.'));
  };
  try {
    const departure = serveRequest(stages, arrival, channel);
    if (departure instanceof Promise) departure.then((late) => channel.depart(late)).catch(failed);
    else channel.depart(departure);
  } catch (error) {
    failed(error);
  }
}

function arrivalOf(request: IncomingMessage, address: TenantAddress, body: Body, limit: number): Arrival {
  const { headers } = request;
  const refusal = body === 'too large' ? tooLarge(limit) : checkBody(headers, body);
  const text = refusal ? '' : body.toString();
  return { address, credentials: credentialsOf(request), fields: headers, body: text, refusal };
}

function tooLarge(limit: number): Rejection {
  return reject('payload_too_large', `The body is larger than ${limit} bytes.`);
}

/** What is wrong with the HTTP of a POST, told after access. */
function checkBody(headers: IncomingMessage['headers'], body: Buffer): Rejection | undefined {
  if (!isJsonType(headers['content-type'])) {
    return reject('unsupported_media_type', 'Send the message as Content-Type: application/json.');
  }
  if (!acceptsBoth(headers.accept)) {
    return reject('not_acceptable', 'Send Accept: application/json, text/event-stream.');
  }
  return isUtf8(body) ? undefined : reject('parse_error', 'The body is not UTF-8.');
}

function preflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, preflightFields(headers.origin, headers['access-control-request-headers'])).end();
}

function refuseStopping(response: ServerResponse, channel: HttpChannel): void {
  response.setHeader('connection', 'close');
  channel.reject(reject('unavailable', 'The server is stopping. Send the request again.'));
}
