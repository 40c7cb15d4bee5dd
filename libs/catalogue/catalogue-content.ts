import { CatalogueView, type Grant } from './catalogue-view.js';
import type { CompiledModule, Entries } from './entries.js';

/** How many scope sets keep their view of one catalogue; the least recently made goes first. */
const MAX_VIEWS = 256;

/**
 * The primitives of one set of modules. Tenants that activate the same modules share it, so that ten thousand tenants of
 * one module cost one compilation.
 */
export class CatalogueContent {
  readonly instructions: string | undefined;
  private readonly entries: Entries;
  private readonly views = new Map<string, CatalogueView>();

  /** @throws Error when two modules bring the same primitive */
  constructor(
    modules: readonly CompiledModule[],
    private readonly pageSize: number,
  ) {
    this.entries = {
      tools: join(modules, 'tools'),
      resources: join(modules, 'resources'),
      templates: join(modules, 'templates'),
      prompts: join(modules, 'prompts'),
    };
    const instructions = modules.flatMap((module) => module.instructions ?? []);
    this.instructions = instructions.length === 0 ? undefined : instructions.join('\n\n');
  }

  /** What this grant sees; made once per scope set. */
  view(grant: Grant): CatalogueView {
    const known = this.views.get(grant.key);
    if (known) return known;
    const view = new CatalogueView(this.entries, grant, this.pageSize);
    if (this.views.size >= MAX_VIEWS) {
      const [oldest] = this.views.keys();
      if (oldest !== undefined) this.views.delete(oldest);
    }
    this.views.set(grant.key, view);
    return view;
  }
}

function join<K extends keyof Entries>(modules: readonly CompiledModule[], kind: K): Entries[K] {
  const owners = new Map<string, string>();
  for (const module of modules) {
    for (const { key } of module.entries[kind]) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw new Error(
          `The modules "${owner}" and "${module.name}" both bring "${key}" (${kind}): activate one of them.`,
        );
      }
      owners.set(key, module.name);
    }
  }
  return modules.flatMap((module) => [...module.entries[kind]]) as unknown as Entries[K];
}
