import type { CompiledSource, Entries } from '#catalogue/entries.js';
import type { SourceRecord } from '#tenancy/tenant.store.js';

/** What was registered, compiled: it brings these entries and no instructions. */
export function sourceOf({ name }: Pick<SourceRecord, 'name'>, entries: Partial<Entries>): CompiledSource {
  const none = { tools: [], resources: [], templates: [], prompts: [] };
  return { name, title: undefined, instructions: undefined, entries: { ...none, ...entries } };
}
