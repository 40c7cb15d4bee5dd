import { DefinitionError } from '#catalogue/definition-error.js';
import type { CompiledSource, Handler } from '#catalogue/entries.js';
import { SourceCompiler } from '#catalogue/source-compiler.js';
import type { SchemaLimits } from '#schema/schema-limits.js';
import type { SourceKind, SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import { compileHttpTool } from './http-tool/compile-http-tool.js';
import { UpstreamStates } from './http-tool/upstream-state.js';
import { compilePromptSource } from './prompts/compile-prompt-source.js';
import { compileResourceSource } from './resources/compile-resource-source.js';
import type { Target } from './polls/resource-poller.js';
import { pollTarget } from './resources/poll-target.js';
import type { SecretVault } from './secrets/secret-vault.js';

/** What the handlers of registered primitives work with. */
export interface SourceParts {
  readonly limits: SchemaLimits;
  readonly secrets: Pick<SecretVault, 'read'>;
  readonly outbound: OutboundClient;
  /** Puts what Nest resolves around a handler: global guards, interceptors and pipes. */
  wrap(handler: Handler): Handler;
}

/** What one kind of source needs to be compiled. */
export interface SourceContext extends SourceParts {
  readonly upstreams: UpstreamStates;
  readonly source: SourceRecord;
  readonly tenant: Pick<TenantRecord, 'id' | 'slug'>;
}

type Compile = (context: SourceContext) => CompiledSource;

const COMPILERS: Readonly<Partial<Record<SourceKind, Compile>>> = {
  http_tool: compileHttpTool,
  resource: compileResourceSource,
  prompt: compilePromptSource,
};

/** Compiles every kind of source. */
export class RegisteredSources extends SourceCompiler {
  private readonly upstreams = new UpstreamStates();

  constructor(private readonly parts: SourceParts) {
    super();
  }

  override compile(source: SourceRecord, tenant: Pick<TenantRecord, 'id' | 'slug'>): CompiledSource {
    const compile = COMPILERS[source.kind];
    if (!compile)
      throw new DefinitionError('', `this platform does not know sources of kind "${source.kind}".`, 'Update it.');
    return compile({ ...this.parts, upstreams: this.upstreams, source, tenant });
  }

  /** What the platform is to look at for this source, if its definition asks for that and works here. */
  target(source: SourceRecord, tenant: Pick<TenantRecord, 'id' | 'slug'>): Target | undefined {
    try {
      return pollTarget({ ...this.parts, upstreams: this.upstreams, source, tenant });
    } catch (error) {
      if (error instanceof DefinitionError) return undefined;
      throw error;
    }
  }
}
