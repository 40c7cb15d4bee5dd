import type { Implementation, ServerCapabilities } from '#protocol/messages.js';
import { encodeServerMeta } from '#protocol/wire/modern.js';
import type { CatalogueContent } from './catalogue-content.js';
import type { CatalogueView, Grant } from './catalogue-view.js';
import type { CompiledSource } from './entries.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';

/** Primitives can be registered at any time, so every tenant says that it has each kind, if only an empty list of it. */
export const CAPABILITIES: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
  extensions: {},
};

/** What was set for a module, as its schema lets it through. */
export type Configuration = Readonly<Record<string, unknown>>;

export interface CatalogueParts {
  /** Of the platform. */
  readonly version: string;
  /** What was registered at run time and works, by id and version. */
  readonly sources: ReadonlyMap<string, CompiledSource>;
  /** By the module's name. */
  readonly configurations: ReadonlyMap<string, Configuration>;
}

const NOTHING_SET: Configuration = Object.freeze({});

/** The immutable snapshot of one tenant at one revision. */
export class Catalogue {
  /** `serverInfo` as the `_meta` of every result, encoded. */
  readonly serverMeta: string;

  /** What was registered at run time and works, by id and version, for the next catalogue to take over. */
  readonly sources: ReadonlyMap<string, CompiledSource>;

  private readonly configurations: ReadonlyMap<string, Configuration>;

  constructor(
    readonly tenant: TenantRecord,
    readonly content: CatalogueContent,
    { version, sources, configurations }: CatalogueParts,
  ) {
    this.sources = sources;
    this.configurations = configurations;
    const server: Implementation = { name: tenant.slug, title: tenant.title, version };
    this.serverMeta = encodeServerMeta(server);
  }

  get instructions(): string | undefined {
    return this.tenant.instructions ?? this.content.instructions;
  }

  /** What the tenant's admin set for a module. @param source the module's name */
  configurationOf(source: string): Configuration {
    return this.configurations.get(source) ?? NOTHING_SET;
  }

  view(grant: Grant): CatalogueView {
    return this.content.view(grant, this.tenant.accessPolicy.showAll);
  }
}
