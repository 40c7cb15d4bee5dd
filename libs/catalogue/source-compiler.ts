import type { SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';
import type { CompiledSource } from './entries.js';

/** Compiles what was registered at run time into the same entries as decorated methods. */
export abstract class SourceCompiler {
  /**
   * Makes everything ready that a call needs. Calls nobody; one source takes a few milliseconds at most.
   * @throws DefinitionError when the definition cannot work
   */
  abstract compile(source: SourceRecord, tenant: Pick<TenantRecord, 'id' | 'slug'>): CompiledSource;
}
