import { DefinitionError } from '#catalogue/definition-error.js';
import type { CompiledSource, Handler } from '#catalogue/entries.js';
import { SourceCompiler } from '#catalogue/source-compiler.js';
import type { SchemaLimits } from '#schema/schema-limits.js';
import type { SourceKind, SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';
import { compilePromptSource } from './prompts/compile-prompt-source.js';
import { compileResourceSource } from './resources/compile-resource-source.js';
import type { SecretVault } from './secrets/secret-vault.js';

/** What the handlers of registered primitives work with. */
export interface SourceParts {
  readonly limits: SchemaLimits;
  readonly secrets: SecretVault;
  /** Puts what Nest resolves around a handler: global guards, interceptors and pipes. */
  wrap(handler: Handler): Handler;
}

/** What one kind of source needs to be compiled. */
export interface SourceContext extends SourceParts {
  readonly source: SourceRecord;
  readonly tenant: Pick<TenantRecord, 'id' | 'slug'>;
}

type Compile = (context: SourceContext) => CompiledSource;

const COMPILERS: Readonly<Partial<Record<SourceKind, Compile>>> = {
  resource: compileResourceSource,
  prompt: compilePromptSource,
};

/** Compiles every kind of source. */
export class RegisteredSources extends SourceCompiler {
  constructor(private readonly parts: SourceParts) {
    super();
  }

  override compile(source: SourceRecord, tenant: Pick<TenantRecord, 'id' | 'slug'>): CompiledSource {
    const compile = COMPILERS[source.kind];
    if (!compile)
      throw new DefinitionError('', `this platform does not know sources of kind "${source.kind}".`, 'Update it.');
    return compile({ ...this.parts, source, tenant });
  }
}
