import type { IncomingMessage, ServerResponse } from 'node:http';
import { oauthCorsFields, oauthPreflightFields, styleSheetFields } from '#bindings/http/page-fields.js';
import { type Body, readBody } from '#bindings/http/read-body.js';
import { isPlatformHost } from '#tenancy/platform-resource.js';
import { hostAddress, originForm, slugOfHost } from '#tenancy/tenant-address.js';
import { STYLE_SHEET } from '../pages/style-sheet.js';
import type { Issuers } from '../provider/issuers.js';
import type { Issuer } from '../provider/open-provider.js';
import { type OAuthError, refuse } from './answers.js';
import type { EndpointParts } from './serve-endpoint.js';
import { serveEndpoint } from './serve-endpoint.js';
import { type Limits, limitFor } from './limits.js';
import { BODY_LIMIT, dropForeignCredentials, pathOf, pinOrigin, readParameters } from './requests.js';
import { type MatchedRoute, matchRoute } from './routes.js';
import { type InteractionParts, serveInteraction } from './serve-interaction.js';

export interface AuthorizationOptions extends InteractionParts, EndpointParts {
  readonly issuers: Issuers;
  readonly limits: Limits;
  /** The client's network address, behind trusted proxies. */
  addressOf(request: IncomingMessage): string;
  /** True when the process is on its way out. */
  readonly isStopping: () => boolean;
  /** Told of what should not happen. */
  onFailure(error: unknown): void;
}

/** A request to the authorization server, matched. */
export interface AuthorizationRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly matched: MatchedRoute;
  readonly origin: string;
  /** The client's network address. */
  readonly address: string;
  readonly issuer: Issuer;
  /** The posted body; empty for GET. */
  readonly body: string;
}

/**
 * The authorization server of every origin, straight on Node's server: a layer that makes of what hosts send what the
 * provider takes. Takes a request if it is for one of its routes, and says so.
 */
export function serveAuthorization(
  options: AuthorizationOptions,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const target = originForm(request.url ?? '');
  const matched = matchRoute(pathOf(target));
  const origin = matched && originOf(request, options);
  if (!matched || origin === undefined) return false;
  request.url = target;
  const isOpen = matched.route.audience !== 'people';
  if (isOpen) setCors(response);
  if (request.method === 'OPTIONS') {
    response
      .writeHead(204, isOpen ? oauthPreflightFields(methodsOf(matched)) : { allow: methodsOf(matched).join(', ') })
      .end();
  } else if (!methodsOf(matched).includes(request.method ?? '')) {
    refuse({ request, response, matched }, wrongMethod(matched));
  } else if (matched.route.name === 'style_sheet') {
    response
      .writeHead(200, styleSheetFields(Buffer.byteLength(STYLE_SHEET)))
      .end(request.method === 'HEAD' ? '' : STYLE_SHEET);
  } else if (options.isStopping()) {
    refuse({ request, response, matched }, { ...UNAVAILABLE, fields: { 'retry-after': '5', connection: 'close' } });
  } else {
    receive(options, { request, response, matched, origin });
  }
  return true;
}

type Arrived = Pick<AuthorizationRequest, 'request' | 'response' | 'matched' | 'origin'>;

function receive(options: AuthorizationOptions, arrived: Arrived): void {
  const { request, response } = arrived;
  const done = (body: Body): void => {
    serve(options, arrived, body).catch((error: unknown) => {
      options.onFailure(error);
      if (!response.headersSent) refuse(arrived, SERVER_ERROR);
      else response.destroy();
    });
  };
  if (request.method === 'POST') readBody(request, BODY_LIMIT, done);
  else done(Buffer.alloc(0));
}

async function serve(options: AuthorizationOptions, arrived: Arrived, body: Body): Promise<void> {
  const { request, matched, origin } = arrived;
  if (body === 'too large') {
    refuse(arrived, TOO_LARGE);
    return;
  }
  const text = body.toString();
  const address = options.addressOf(request); // before `pinOrigin`, which hides it
  const { authorization } = request.headers;
  const waitMs = limitFor(options.limits, { name: matched.route.name, address, body: text, authorization });
  if (waitMs !== undefined) {
    refuse(arrived, tooMany(waitMs));
    return;
  }
  const issuer = await options.issuers.find(origin);
  if (!issuer) {
    refuse(arrived, NO_ISSUER);
    return;
  }
  pinOrigin(request, origin);
  dropForeignCredentials(request);
  if (matched.route.audience !== 'people') request.headers.accept = 'application/json'; // never a page for programs
  await route(options, { ...arrived, address, issuer, body: text });
}

async function route(options: AuthorizationOptions, arrived: AuthorizationRequest): Promise<void> {
  const { request, response, matched, origin, address, issuer, body } = arrived;
  if (matched.route.name === 'upstream_callback') {
    await options.upstream.return({
      request,
      response,
      origin,
      tenantBySlug: (slug) => options.resources.bySlug(origin, slug),
    });
  } else if (matched.uid !== undefined && matched.route.name !== 'resume') {
    const form = request.method === 'POST' ? (readParameters(body) ?? new URLSearchParams()) : undefined;
    await serveInteraction(
      { request, response, origin, address, issuer, name: matched.route.name, uid: matched.uid, form },
      options,
    );
  } else {
    await serveEndpoint(options, arrived);
  }
}

/** The origin that the request is for: the platform's in the path form, whatever its Host says. */
function originOf({ headers }: IncomingMessage, { resources }: AuthorizationOptions): string | undefined {
  const { places } = resources;
  const origin = places.publicOrigin();
  const slug = slugOfHost(headers.host, places);
  if (slug !== undefined) return hostAddress(slug, origin).origin;
  return places.routing !== 'host' || isPlatformHost(headers.host, places) ? origin : undefined;
}

function methodsOf({ route: { methods } }: MatchedRoute): readonly string[] {
  return methods.some((method) => method === 'GET') ? [...methods, 'HEAD'] : methods;
}

function setCors(response: ServerResponse): void {
  for (const [name, value] of Object.entries(oauthCorsFields())) response.setHeader(name, value as string);
}

function wrongMethod(matched: MatchedRoute): OAuthError {
  const description = `Use ${matched.route.methods.join(' or ')} here.`;
  return { status: 405, error: 'invalid_request', description, fields: { allow: methodsOf(matched).join(', ') } };
}

function tooMany(waitMs: number): OAuthError {
  return {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'Too many requests. Wait before the next.',
    fields: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  };
}

const TOO_LARGE = {
  status: 413,
  error: 'invalid_request',
  description: `The body is larger than ${BODY_LIMIT} bytes.`,
  fields: { connection: 'close' },
} as const satisfies OAuthError;

const NO_ISSUER = {
  status: 404,
  error: 'invalid_request',
  description: 'There is no authorization server here.',
} as const satisfies OAuthError;

const UNAVAILABLE = {
  status: 503,
  error: 'temporarily_unavailable',
  description: 'The server is stopping. Send the request again.',
} as const;

const SERVER_ERROR = {
  status: 500,
  error: 'server_error',
  description: 'Something went wrong on the server.',
} as const;
