import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { AdminParts } from '../admin-parts.js';
import { adminRoutes } from '../routes/admin-routes.js';
import { openApiDocument } from './openapi-document.js';

const routes = adminRoutes({ version: '1' } as AdminParts);
const document = openApiDocument(routes, '1') as Record<string, any>;
const operations: readonly [string, Record<string, any>][] = Object.entries(document['paths']).flatMap(
  ([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]): [string, Record<string, any>] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
);

/** Every value in the document. */
function* valuesIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Record<string, unknown>;
  for (const member of Object.values(value)) yield* valuesIn(member);
}

describe('the OpenAPI document', () => {
  it('has an operation for every route', () => {
    const declared = routes.map(({ method, path }) => `${method} /admin/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(([name]) => name).sort()).toEqual(declared.sort());
  });

  it('is OpenAPI 3.1: what must be there is, and names stand for one thing each', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: expect.any(String), version: '1' } });
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document['tags'].map(({ name }: { name: string }) => name);
    for (const [name, { responses, parameters, tags: own, security }] of operations) {
      expect([name, Object.keys(responses).length > 0, tags.includes(own[0])]).toEqual([name, true, true]);
      const inPath = parameters.filter((one: any) => one.in === 'path').map((one: any) => one.name);
      expect([name, inPath]).toEqual([name, [...name.matchAll(/\{(\w+)\}/g)].map(([, one]) => one)]);
      for (const parameter of parameters) expect(parameter).toMatchObject({ schema: expect.any(Object) });
      expect(new Set(parameters.map((one: any) => `${one.in} ${one.name}`)).size).toBe(parameters.length);
      const schemes = Object.keys(document['components'].securitySchemes);
      for (const scheme of security) expect(schemes).toEqual(expect.arrayContaining(Object.keys(scheme)));
    }
  });

  it('refers to nothing that is not in it', () => {
    for (const { $ref } of valuesIn(document)) {
      if (typeof $ref !== 'string') continue;
      const found = $ref
        .replace('#/', '')
        .split('/')
        .reduce<any>((place, key) => place?.[key], document);
      expect([$ref, typeof found]).toEqual([$ref, 'object']);
    }
  });

  it('holds JSON Schemas that compile', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addFormat('base64', true);
    ajv.addSchema({ $id: 'https://api.example/', components: document['components'] });
    const schemas = [...valuesIn(document['paths'])].flatMap(({ schema }) => (schema ? [schema] : []));
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of [...schemas, ...Object.values<object>(document['components'].schemas)]) {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://api.example/#/'));
      expect(() => ajv.compile(absolute)).not.toThrow();
    }
  });

  it('shows what to send wherever something is sent, and it fits', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addFormat('base64', true);
    for (const [name, { requestBody }] of operations) {
      if (!requestBody) continue;
      const { schema, examples = {} } = requestBody.content['application/json'];
      const isGood = ajv.compile({ ...schema, components: document['components'] });
      expect([name, Object.keys(examples).length > 0]).toEqual([name, true]);
      for (const { value } of Object.values<any>(examples))
        expect([name, isGood(value), isGood.errors]).toEqual([name, true, null]);
    }
    const [, { requestBody }] = operations.find(([name]) => name === 'POST /admin/v1/tenants/{slug}/sources')!;
    expect(Object.keys(requestBody.content['application/json'].examples)).toEqual(['http_tool', 'resource', 'prompt']);
  });

  it('declares problems for every status that it does not name, and signing in before keys', () => {
    for (const [name, { responses }] of operations)
      expect([name, responses.default]).toEqual([name, { $ref: '#/components/responses/Problem' }]);
    expect(Object.keys(document['components'].securitySchemes)).toEqual(['oauth', 'key']);
    expect(JSON.stringify(document)).not.toContain('activity:write'); // there is nothing to write
  });

  it('asks for If-Match where something is changed, and offers Idempotency-Key where something is made', () => {
    for (const [name, { parameters }] of operations) {
      const headers = parameters.filter((one: any) => one.in === 'header').map((one: any) => one.name);
      if (/^(?:PUT|PATCH|DELETE)/.test(name))
        expect([name, headers]).toEqual([name, expect.arrayContaining(['If-Match'])]);
      else
        expect([name, headers]).toEqual([name, /^POST(?!.*(?:login|notify)$)/.test(name) ? ['Idempotency-Key'] : []]);
    }
  });
});
