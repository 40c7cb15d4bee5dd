import type { SourceRecord } from '#tenancy/tenant.store.js';

/** A secret that a definition names, and where, as a JSON pointer into the definition. */
export interface NamedSecret {
  readonly name: string;
  readonly pointer: string;
}

/** What a definition needs besides being compiled. */
export interface SourceInspector {
  /** The secrets that it names; whatever the definition is, this does not throw. */
  secretsOf(source: Pick<SourceRecord, 'kind' | 'definition'>): readonly NamedSecret[];

  /** Whether what it calls may be called; asks name servers. @throws DefinitionError */
  check(source: Pick<SourceRecord, 'kind' | 'definition'>): Promise<void>;
}
