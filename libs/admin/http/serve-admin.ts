import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JsonTextError, parseJson } from '#protocol/json-text.js';
import type { AdminAuthenticator } from '../access/admin-authenticator.js';
import type { AdminCaller } from '../access/admin-caller.js';
import type { AdminTenant, AdminTenantRows } from '../stores/admin-tenant.rows.js';
import { ADMIN_PREFIX, type AdminRoute } from './admin-route.js';
import type { Answer } from './answer.js';
import { authorise } from './authorise.js';
import { entityTags, hasAlready } from './conditions.js';
import type { Cursors } from './cursors.js';
import { Problem } from './problem.js';
import { readRequest } from './read-request.js';
import { sendProblem } from './send-problem.js';
import { serveDocsPage } from './serve-docs-page.js';

/** The largest body, in bytes: a definition of 1 MiB and what stands around it. */
const BODY_LIMIT = 1024 * 1024 + 64 * 1024;
/** The largest signed body, in bytes: it is read before it is known who sent it. */
const SIGNED_BODY_LIMIT = 256 * 1024;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface AdminServing {
  readonly routes: readonly AdminRoute[];
  readonly authenticator: AdminAuthenticator;
  readonly tenants: Pick<AdminTenantRows, 'find'>;
  readonly cursors: Cursors;
  /** How deeply a body may be nested. */
  readonly jsonDepth: number;
  /** The client's network address. */
  addressOf(request: IncomingMessage): string;
  /** Whether a failure is the database's, and may pass. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly onFailure: (error: unknown, correlationId: string) => void;
}

/** Who calls, and which tenant it is about. */
interface Permitted {
  readonly caller: AdminCaller | undefined;
  readonly tenant: AdminTenant | undefined;
}

/** Serves the routes below `/admin/v1`. Who calls and what they may do is decided before a body is read. */
export function serveAdmin(fastify: FastifyInstance, serving: AdminServing): void {
  fastify.register(
    (scope, _options, done) => {
      parseJsonOnly(scope, serving.jsonDepth);
      scope.setErrorHandler((error, _request, reply) => sendProblem(reply, asProblem(error, serving)));
      scope.setNotFoundHandler((_request, reply) =>
        sendProblem(reply, new Problem('not_found', 'There is no such path.')),
      );
      for (const route of serving.routes.filter(({ takesBytes }) => !takesBytes)) addRoute(scope, serving, route);
      scope.register((raw, _rawOptions, ready) => {
        takeBytesOnly(raw);
        for (const route of serving.routes.filter(({ takesBytes }) => takesBytes)) addRoute(raw, serving, route);
        ready();
      });
      serveDocsPage(scope);
      refuseOtherMethods(scope, serving.routes);
      done();
    },
    { prefix: ADMIN_PREFIX },
  );
  for (const path of ['/admin', '/admin/'])
    fastify.get(path, (_request, reply) => reply.redirect(`${ADMIN_PREFIX}/docs`));
}

function parseJsonOnly(scope: FastifyInstance, depth: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (_request, body, done) => {
      try {
        done(null, body.length === 0 ? undefined : parseJson(textOf(body as Buffer), depth)); // many clients always say JSON
      } catch (error) {
        done(error as Error, undefined);
      }
    },
  );
}

/** @throws JsonTextError */
function textOf(body: Buffer): string {
  try {
    return UTF_8.decode(body);
  } catch {
    throw new JsonTextError('not UTF-8');
  }
}

/** For bodies that are signed as they were sent. */
function takeBytesOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: SIGNED_BODY_LIMIT } as const;
  scope.addContentTypeParser('application/json', options, (_request, body, done) => done(null, body));
}

function addRoute(scope: FastifyInstance, serving: AdminServing, route: AdminRoute): void {
  const permitted = new WeakMap<FastifyRequest, Permitted>();
  scope.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.takesBytes ? SIGNED_BODY_LIMIT : BODY_LIMIT,
    onRequest: async (request) => {
      permitted.set(request, await permit(route, request, serving));
    },
    handler: async (request, reply) => {
      const { caller, tenant } = permitted.get(request) ?? { caller: undefined, tenant: undefined };
      const read = readRequest(route, request, { ...serving, caller, tenant });
      await send(request, reply, await route.run(read, caller, tenant));
      return reply;
    },
  });
}

async function permit(route: AdminRoute, request: FastifyRequest, serving: AdminServing): Promise<Permitted> {
  if (route.permission.to === 'public') return { caller: undefined, tenant: undefined };
  if (isUnkeyed(route, request)) return { caller: undefined, tenant: undefined };
  const { authenticator, tenants } = serving;
  const caller = await authenticator.authenticate(authorizationOf(request), serving.addressOf(request.raw));
  const { slug } = request.params as { readonly slug?: string };
  return { caller, tenant: await authorise(route.permission, caller, slug, tenants) };
}

/** Node keeps the first of several fields, and a proxy may have looked at another. @throws Problem `invalid_request` */
function authorizationOf({ headers, raw: { rawHeaders } }: FastifyRequest): string | undefined {
  const fields = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  if (fields.length <= 1) return headers.authorization;
  throw new Problem('invalid_request', 'Send one `Authorization` header field.', {
    errors: [{ parameter: 'Authorization', detail: 'is there more than once' }],
  });
}

function isUnkeyed({ permission }: AdminRoute, { headers }: FastifyRequest): boolean {
  return permission.to === 'signers' && headers.authorization === undefined && headers['webhook-id'] !== undefined;
}

/** Tells apart a path that is not there and a method that it does not take. */
function refuseOtherMethods(scope: FastifyInstance, routes: readonly AdminRoute[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const taken = routes.filter((route) => route.path === path).map(({ method }) => method);
    const allow = taken.join(', ');
    scope.route({
      method: METHODS.filter((method) => !taken.includes(method)),
      url: path,
      onRequest: (_request, reply) => {
        sendProblem(reply, new Problem('method_not_allowed', `This takes ${allow}.`, { headers: { allow } }));
      },
      handler: (_request, reply) => reply,
    });
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { status, body, etag, headers }: Answer): FastifyReply {
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers });
  if (etag !== undefined) {
    reply.header('etag', etag);
    if (request.method === 'GET' && hasAlready(entityTags(request.headers, 'if-none-match'), etag))
      return reply.code(304).send();
  }
  if (body === undefined) return reply.code(status).send();
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** What Fastify says by its codes; see https://fastify.dev/docs/latest/Reference/Errors/. */
function asProblem(error: unknown, { isUnavailable, onFailure }: AdminServing): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof JsonTextError) return new Problem('malformed_json', `The body is ${error.message}.`);
  const { code } = error as { readonly code?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('payload_too_large', `The body must have ${BODY_LIMIT} bytes or fewer.`);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem('unsupported_media_type', 'Send JSON, and say so: `Content-Type: application/json`.');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new Problem('malformed_json', 'The body is not as long as its `Content-Length` says.');
  const correlationId = randomUUID();
  onFailure(error, correlationId);
  return isUnavailable(error)
    ? new Problem('unavailable', 'The database does not answer in time. Try again.', {
        headers: { 'retry-after': '5' },
      })
    : new Problem('internal_error', 'The server failed; nothing was changed.', { correlationId });
}
