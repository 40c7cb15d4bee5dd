import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepLatest } from '#protocol/keep-latest.js';
import type { SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';
import { Catalogue, type Configuration } from './catalogue.js';
import { CatalogueContent } from './catalogue-content.js';
import { DefinitionError } from './definition-error.js';
import { type CompiledSource, LIST_KINDS } from './entries.js';
import type { ModuleRegistry } from './modules/module-registry.js';
import { readConfiguration } from './modules/read-configuration.js';
import type { SourceCompiler } from './source-compiler.js';

/** How many sets of modules keep their content; the least recently made goes first. */
const MAX_CONTENTS = 1_000;
/** How long compilation goes on before others get their turn, in milliseconds. */
const SLICE_MS = 8;

export interface CompilerOptions {
  /** Entries on one page of a list. */
  readonly pageSize: number;
  /** The version that servers name in `serverInfo`. */
  readonly version: string;
  /** Told when a tenant activates a module that this process does not have. */
  onUnknownModule(slug: string, module: string): void;
  /** Told when a source was left out, since it does not compile here, or not beside the others. */
  onBrokenSource(slug: string, source: string, error: unknown): void;
}

/** What was compiled before. */
export type KnownSources = Pick<Catalogue, 'sources'>;

export interface InspectedCatalogue {
  readonly catalogue: Catalogue;
  /** Why sources were left out, by their names. */
  readonly faults: ReadonlyMap<string, unknown>;
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

/** Makes a tenant's catalogue of what it activates and what its admin registered. */
export class CatalogueCompiler {
  private readonly contents = new Map<string, CatalogueContent>();

  constructor(
    private readonly modules: ModuleRegistry,
    private readonly sources: SourceCompiler,
    private readonly options: CompilerOptions,
  ) {}

  /**
   * Modules that this process does not have are left out: another version of the platform may know them. So are sources
   * that do not compile, so that one never costs the others.
   * @param known an earlier catalogue of the tenant: what has not changed since is not compiled again
   * @throws CatalogueError when two modules bring the same primitive
   */
  async compile(tenant: TenantRecord, known?: Catalogue): Promise<Catalogue> {
    return this.build(tenant, known, (source, error) => this.options.onBrokenSource(tenant.slug, source, error));
  }

  /**
   * The catalogue of what works, and why the rest does not.
   * @param known as for `compile`
   * @throws CatalogueError
   */
  async inspect(tenant: TenantRecord, known?: KnownSources): Promise<InspectedCatalogue> {
    const faults = new Map<string, unknown>();
    const catalogue = await this.build(tenant, known, (source, error) => faults.set(source, error));
    return { catalogue, faults };
  }

  private async build(
    tenant: TenantRecord,
    known: KnownSources | undefined,
    onBroken: (source: string, error: unknown) => void,
  ): Promise<Catalogue> {
    const { modules, configurations } = await this.modulesOf(tenant, onBroken);
    const sources = new Map<string, CompiledSource>();
    const taken = ownersOf(modules);
    let began = performance.now();
    for (const source of tenant.sources) {
      if (performance.now() - began > SLICE_MS) {
        await nextTurn();
        began = performance.now();
      }
      try {
        const key = sourceKey(source);
        const compiled = known?.sources.get(key) ?? this.sources.compile(source, tenant);
        claim(taken, compiled);
        sources.set(key, compiled);
      } catch (error) {
        onBroken(source.name, error);
      }
    }
    return new Catalogue(tenant, this.contentOf(tenant.slug, modules, [...sources.values()]), {
      version: this.options.version,
      sources,
      configurations,
    });
  }

  /** A module whose configuration does not fit its schema, as that of another version may not, is left out too. */
  private async modulesOf(
    tenant: TenantRecord,
    onBroken: (source: string, error: unknown) => void,
  ): Promise<{ readonly modules: readonly CompiledSource[]; readonly configurations: Map<string, Configuration> }> {
    const modules: CompiledSource[] = [];
    const configurations = new Map<string, Configuration>();
    for (const { module, configuration } of tenant.activations) {
      const known = this.modules.get(module);
      if (!known) {
        this.options.onUnknownModule(tenant.slug, module);
        continue;
      }
      try {
        configurations.set(module, await readConfiguration(known, configuration));
        modules.push(known);
      } catch (error) {
        onBroken(module, error);
      }
    }
    return { modules, configurations };
  }

  private contentOf(
    slug: string,
    modules: readonly CompiledSource[],
    sources: readonly CompiledSource[],
  ): CatalogueContent {
    const key = modules.map((module) => module.name).join(' ');
    const known = sources.length === 0 ? this.contents.get(key) : undefined;
    if (known) return known;
    try {
      const content = new CatalogueContent([...modules, ...sources], this.options.pageSize);
      if (sources.length === 0) keepLatest(this.contents, key, content, MAX_CONTENTS);
      return content;
    } catch (error) {
      throw new CatalogueError(slug, error);
    }
  }
}

/** Under what a catalogue keeps what it compiled of a source. */
export function sourceKey({ id, version }: Pick<SourceRecord, 'id' | 'version'>): string {
  return `${id} ${version}`;
}

/** Which source brings what, by kind and key. */
type Owners = Map<string, string>;

function ownersOf(modules: readonly CompiledSource[]): Owners {
  const owners: Owners = new Map();
  for (const module of modules) for (const key of keysOf(module)) owners.set(key, `the module "${module.name}"`);
  return owners;
}

function claim(owners: Owners, source: CompiledSource): void {
  const keys = keysOf(source);
  for (const key of keys) {
    const owner = owners.get(key);
    if (owner === undefined) continue;
    const [kind = '', ...name] = key.split(' ');
    throw new DefinitionError(
      POINTERS[kind] ?? '',
      `"${name.join(' ')}" is brought by ${owner} already.`,
      'Choose another.',
    );
  }
  for (const key of keys) owners.set(key, `the source "${source.name}"`);
}

/** Where a definition says what its primitive is found by. */
const POINTERS: Readonly<Record<string, string>> = {
  tools: '/name',
  prompts: '/name',
  resources: '/uri',
  templates: '/uriTemplate',
};

function keysOf({ entries }: CompiledSource): readonly string[] {
  return LIST_KINDS.flatMap((kind) => entries[kind].map((entry) => `${kind} ${entry.key}`));
}
