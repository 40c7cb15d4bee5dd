import { readAccessPolicy } from '#tenancy/access-policy.js';
import type { Activation, SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';
import type { Prisma } from './generated/client.js';

const SOURCE = { id: true, name: true, kind: true, definition: true, version: true } satisfies Prisma.SourceSelect;

/** What a tenant's catalogue is made from. */
export const WITH_SOURCES = { activations: true, sources: { select: SOURCE } } satisfies Prisma.TenantInclude;

export type TenantRow = Prisma.TenantGetPayload<{ include: typeof WITH_SOURCES }>;

/** A tenant's row as the stages know it. Orders by code units: a server's collation orders in its own way. */
export function asTenantRecord(row: TenantRow): TenantRecord {
  const { id, slug, title, status, access, instructions, revision, deletesAt } = row;
  const sources = row.sources.map((source) => source as SourceRecord);
  sources.sort((a, b) => (a.name < b.name ? -1 : 1));
  const activations = row.activations.map(({ module, configuration }) => ({ module, configuration }) as Activation);
  activations.sort((a, b) => (a.module < b.module ? -1 : 1));
  const accessPolicy = readAccessPolicy(row.accessPolicy);
  return { id, slug, title, status, access, accessPolicy, instructions, revision, deletesAt, activations, sources };
}
