import { z } from 'zod';
import type { AdminRoute } from '../http/admin-route.js';
import { isChange, querySchema } from '../http/query-schema.js';
import type { JsonSchemas } from './json-schemas.js';
import { REQUEST_EXAMPLES } from './request-examples.js';

const PROBLEM = { $ref: '#/components/responses/Problem' };
const DRY_RUN = { $ref: '#/components/schemas/DryRun' };

const MEANINGS: Readonly<Record<string, string>> = {
  dryRun: '`true` to do everything, take it back, and say what would change.',
  limit: 'Items on the page, 1 to 200; 50 unless it is said.',
  cursor: '`next` of the page before.',
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` of what is changed, as it was read, or `*`.',
  schema: { type: 'string' },
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*` in place of `If-Match`, to make what is not there yet.',
  schema: { const: '*' },
};
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the caller, such as a UUID: the request is carried out once, however often it is sent in a day.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

/** A route as an operation of the OpenAPI document. */
export function operationOf(route: AdminRoute, schemas: JsonSchemas): object {
  const { method, path, area, summary, permission } = route;
  return {
    operationId: operationId(method, path),
    tags: [area],
    summary,
    description: descriptionOf(route),
    parameters: [...pathParameters(route, schemas), ...queryParameters(route, schemas), ...headerParameters(route)],
    ...requestBody(route, schemas),
    responses: responsesOf(route, schemas),
    security: permission.to === 'public' ? [] : securityOf(route),
  };
}

/** A signature is no scheme that OpenAPI knows, so signed requests count as those without one. */
function securityOf(route: AdminRoute): readonly object[] {
  const keyed = [{ oauth: scopesOf(route) }, { key: scopesOf(route) }];
  return route.permission.to === 'signers' ? [...keyed, {}] : keyed;
}

function requestBody({ method, path, body }: AdminRoute, schemas: JsonSchemas): object {
  if (!body) return {};
  const examples = REQUEST_EXAMPLES[`${method} ${path}`];
  const content = { schema: schemas.ofInput(body), ...(examples && { examples }) };
  return { requestBody: { required: true, content: { 'application/json': content } } };
}

function operationId(method: string, path: string): string {
  const words = path
    .split(/[/:_-]+/)
    .filter((word, at, all) => word !== '' && (word !== 'slug' || at === all.length - 1));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function scopesOf({ permission }: AdminRoute): readonly string[] {
  return 'scope' in permission ? [permission.scope] : [];
}

function descriptionOf(route: AdminRoute): string {
  const [scope] = scopesOf(route);
  const needs = scope === undefined ? '' : `Needs the scope \`${scope}\`.`;
  const who = route.permission.to === 'operators' ? 'For operators only.' : '';
  return [route.description ?? '', needs, who].filter((part) => part !== '').join(' ');
}

function pathParameters({ path, params }: AdminRoute, schemas: JsonSchemas): readonly object[] {
  const shape = params instanceof z.ZodObject ? (params.shape as z.ZodRawShape) : {};
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const type = shape[name] as z.ZodType | undefined;
    return { name, in: 'path', required: true, schema: type ? schemas.ofInput(type) : { type: 'string' } };
  });
}

function queryParameters(route: AdminRoute, schemas: JsonSchemas): readonly object[] {
  return Object.entries(querySchema(route).shape).map(([name, type]) => ({
    name,
    in: 'query',
    ...(MEANINGS[name] && { description: MEANINGS[name] }),
    schema: schemas.ofInput(type as z.ZodType),
  }));
}

function headerParameters(route: AdminRoute): readonly object[] {
  if (!isChange(route)) return [];
  if (route.method === 'POST') return [IDEMPOTENCY_KEY];
  return route.makes ? [IF_MATCH, IF_NONE_MATCH] : [{ ...IF_MATCH, required: true }];
}

function responsesOf(route: AdminRoute, schemas: JsonSchemas): object {
  const { outcome, makes } = route;
  const done = { description: 'Done.', ...(outcome.schema && { content: json(schemas.ofOutput(outcome.schema)) }) };
  const rehearsed = { description: 'With `dryRun=true`: what would happen.', content: json(DRY_RUN) };
  return {
    ...(isChange(route) && outcome.status !== 200 && { 200: rehearsed }),
    [outcome.status]: outcome.status === 200 && isChange(route) ? either(done) : done,
    ...(makes && { 201: { ...done, description: 'Made.' } }),
    default: PROBLEM,
  };
}

/** What is answered may be what was done, or what would be. */
function either(done: { readonly description: string; readonly content?: ReturnType<typeof json> }): object {
  const schema = done.content?.['application/json'].schema;
  return { ...done, content: json({ anyOf: [...(schema ? [schema] : []), DRY_RUN] }) };
}

function json(schema: object) {
  return { 'application/json': { schema } };
}
