import { z } from 'zod';
import { LIST_KINDS, type ListKind } from '#catalogue/entries.js';
import type { SourceKind } from '#tenancy/tenant.store.js';
import { type CatalogueReport, explainFault } from '../changes/catalogue-check.js';
import { etagOf } from '../http/etag.js';
import { instant } from '../http/fields.js';
import type { SourceRow } from '../stores/source.rows.js';

export const SOURCE_KINDS = ['http_tool', 'resource', 'prompt'] as const satisfies readonly SourceKind[];

const KINDS = {
  tools: 'tool',
  resources: 'resource',
  templates: 'resource_template',
  prompts: 'prompt',
} as const satisfies Record<ListKind, string>;

/** How a source looks to admins. */
export const sourceView = z
  .object({
    name: z.string(),
    kind: z.enum(SOURCE_KINDS),
    definition: z.record(z.string(), z.unknown()),
    version: z.int(),
    createdAt: instant,
    updatedAt: instant,
    works: z.boolean().describe('Whether it is in the catalogue; `fault` says why not.'),
    fault: z.object({ pointer: z.string().describe('Where in the definition.'), detail: z.string() }).nullable(),
    primitives: z
      .array(z.object({ kind: z.enum(['tool', 'resource', 'resource_template', 'prompt']), key: z.string() }))
      .describe('What it brings, by name, URI or URI template.'),
  })
  .meta({ id: 'Source' });

/** A source, and what becomes of it. @param report undefined when the tenant's modules do not go together */
export function showSource(row: SourceRow, report: CatalogueReport | undefined) {
  return { ...kept(row), ...statusOf(row, report) };
}

export function tagOfSource(row: SourceRow, report?: CatalogueReport): string {
  return report ? etagOf(kept(row), statusOf(row, report)) : etagOf(kept(row));
}

function kept({ name, kind, definition, version, createdAt, updatedAt }: SourceRow) {
  return { name, kind, definition, version, createdAt, updatedAt };
}

function statusOf({ id, version, name }: SourceRow, report: CatalogueReport | undefined) {
  const compiled = report?.catalogue?.sources.get(`${id} ${version}`);
  const fault = report?.faults.get(name);
  const primitives = LIST_KINDS.flatMap((kind) =>
    (compiled?.entries[kind] ?? []).map(({ key }) => ({ kind: KINDS[kind], key })),
  );
  return { works: compiled !== undefined, fault: fault === undefined ? null : explainFault(fault), primitives };
}
