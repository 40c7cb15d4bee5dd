import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { AdminCaller } from '../access/admin-caller.js';
import type { ChangeTerms } from '../changes/change-terms.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { AdminRequest, AdminRoute } from './admin-route.js';
import type { Answer } from './answer.js';
import { entityTags, repeatOf, strong } from './conditions.js';
import type { Cursors } from './cursors.js';
import { Problem } from './problem.js';
import { isChange, PAGE_SIZE, querySchema } from './query-schema.js';
import { readBody, readParams, readQuery } from './read-values.js';

interface Surroundings {
  readonly caller: AdminCaller | undefined;
  readonly tenant: AdminTenant | undefined;
  readonly cursors: Cursors;
  addressOf(request: FastifyRequest['raw']): string;
}

interface BasicQuery {
  readonly dryRun?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

/** The request as the route takes it. @throws Problem */
export function readRequest(route: AdminRoute, request: FastifyRequest, around: Surroundings): AdminRequest {
  const params = readParams(route.params, request.params);
  const query = readQuery(querySchema(route), { ...(request.query as object) });
  const { dryRun = false, limit = PAGE_SIZE, cursor } = query as BasicQuery;
  const terms = termsOf(route, request, around, dryRun);
  const list = `${route.path} ${around.tenant?.id ?? ''}`;
  const after = cursor === undefined ? undefined : around.cursors.open(list, cursor);
  return {
    params,
    query,
    body: route.takesBytes ? request.body : readBody(route.body, request.body),
    headers: request.headers,
    terms,
    page: { limit: limit + 1, after },
    address: around.addressOf(request.raw),
    list: (rows, keyOf, show) => {
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const next = last === undefined ? null : around.cursors.seal(list, keyOf(last));
      return listAnswer(request.url, shown.map(show), next);
    },
  };
}

/** @throws Problem `precondition_required`, `invalid_request` */
function termsOf(route: AdminRoute, request: FastifyRequest, { caller }: Surroundings, dryRun: boolean): ChangeTerms {
  const { headers, method, url, body } = request;
  const ifMatch = strong(entityTags(headers, 'if-match'));
  const onlyNew = route.makes === true && entityTags(headers, 'if-none-match')?.includes('*') === true;
  const isGuarded = isChange(route) && route.method !== 'POST';
  if (isGuarded && !ifMatch && !onlyNew)
    throw new Problem('precondition_required', `Send If-Match with the ETag of what you ${wordFor(route)}, or "*".`);
  const actor = caller?.actor ?? 'nobody';
  const mayRepeat = isChange(route) && method === 'POST' && headers['idempotency-key'] !== undefined;
  const requestHash = mayRepeat ? hash('sha256', `${method} ${url}\n${JSON.stringify(body ?? null)}`, 'base64url') : '';
  const repeat = mayRepeat ? repeatOf(headers, { actor, requestHash }) : undefined;
  return { actor, ifMatch, onlyNew, dryRun, repeat };
}

function wordFor({ method, makes }: AdminRoute): string {
  if (method === 'DELETE') return 'delete';
  return makes ? 'change, or `If-None-Match: *` to make it' : 'change';
}

function listAnswer(url: string, items: readonly object[], next: string | null): Answer {
  const body = { items, next };
  if (next === null) return { status: 200, body };
  const [path = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', next);
  return { status: 200, body, headers: { link: `<${path}?${parameters.toString()}>; rel="next"` } };
}
