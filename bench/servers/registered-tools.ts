import type { JsonObject } from '#protocol/json.js';
import { TenantStore } from '#tenancy/tenant.store.js';
import { Database } from '#persistence/database.js';
import type { CausewayServer } from '#server/create-server.js';
import { ORDER_TOOL } from '../requests.js';
import type { CausewayOptions } from './causeway.js';

/** Makes tenants with registered HTTP tools by their rows. No two tools have the same schema. */
export async function registerHttpTools(
  { app }: CausewayServer,
  { upstream, tenants, tools }: NonNullable<CausewayOptions['httpTools']>,
): Promise<void> {
  const { client } = app.get(Database);
  for (let index = 0; index < tenants; index++) {
    const slug = `http-${index}`;
    const { id } = await app.get(TenantStore).create({ slug, title: slug, access: 'open', activations: [] });
    const names = [...Array.from({ length: tools - 1 }, (_, tool) => `tool_${tool}`), ORDER_TOOL];
    await client.source.createMany({
      data: names.map((name) => ({
        tenantId: id,
        name,
        kind: 'http_tool' as const,
        definition: definitionOf(upstream, `${slug} ${name}`),
      })),
    });
  }
}

/** No two that are of something different have the same schema. */
export function definitionOf(upstream: string, what: string): JsonObject {
  return {
    description: `Finds an order of ${what}.`,
    input: {
      type: 'object',
      properties: {
        id: { type: 'string', maxLength: 64, description: `The order's number in ${what}.` },
        fields: { type: 'array', items: { enum: ['status', 'total', 'items'] } },
        page: { type: 'integer', minimum: 1 },
      },
      required: ['id'],
      additionalProperties: false,
    },
    request: {
      method: 'GET',
      url: `${upstream}/orders/{id}`,
      query: { fields: { argument: 'fields' }, page: { argument: 'page' } },
    },
  };
}
