import { Catalogue } from './catalogue.js';
import { CatalogueContent } from './catalogue-content.js';
import type { CompiledModule } from './entries.js';
import type { ModuleRegistry } from './modules/module-registry.js';
import { keepLatest } from '#protocol/keep-latest.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';

/** How many sets of modules keep their content; the least recently made goes first. */
const MAX_CONTENTS = 1_000;

export interface CompilerOptions {
  /** Entries on one page of a list. */
  readonly pageSize: number;
  /** The version that servers name in `serverInfo`. */
  readonly version: string;
  /** Told when a tenant activates a module that this process does not have. */
  onUnknownModule(slug: string, module: string): void;
}

/** A tenant's modules do not go together; it cannot be served until somebody changes that. */
export class CatalogueError extends Error {
  constructor(slug: string, cause: unknown) {
    super(`The tenant "${slug}" cannot be served: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'CatalogueError';
  }
}

/** Makes a tenant's catalogue of what it activates. */
export class CatalogueCompiler {
  private readonly contents = new Map<string, CatalogueContent>();

  constructor(
    private readonly modules: ModuleRegistry,
    private readonly options: CompilerOptions,
  ) {}

  /**
   * Modules that this process does not have are left out: another version of the platform may know them.
   * @throws CatalogueError when two modules bring the same primitive
   */
  compile(tenant: TenantRecord): Catalogue {
    const modules = tenant.activations.flatMap(({ module }) => {
      const known = this.modules.get(module);
      if (!known) this.options.onUnknownModule(tenant.slug, module);
      return known ?? [];
    });
    try {
      return new Catalogue(tenant, this.contentOf(modules), this.options.version);
    } catch (error) {
      throw new CatalogueError(tenant.slug, error);
    }
  }

  private contentOf(modules: readonly CompiledModule[]): CatalogueContent {
    const key = modules.map((module) => module.name).join(' ');
    const known = this.contents.get(key);
    if (known) return known;
    const content = new CatalogueContent(modules, this.options.pageSize);
    keepLatest(this.contents, key, content, MAX_CONTENTS);
    return content;
  }
}
