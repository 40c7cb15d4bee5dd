import { keepLatest } from '#protocol/keep-latest.js';
import { CatalogueView, type Grant, type Lists } from './catalogue-view.js';
import { type CompiledSource, type Entries, LIST_KINDS } from './entries.js';
import { EntryList } from './entry-list.js';

/** How many views of one catalogue are kept; the least recently made goes first. */
const MAX_VIEWS = 256;
/** How many grants are remembered with their view. */
const MAX_GRANTS = 4_096;

/**
 * The primitives of one set of modules. Tenants that activate the same modules share it, so that ten thousand tenants of
 * one module cost one compilation.
 */
export class CatalogueContent {
  readonly instructions: string | undefined;
  /** Every scope that a primitive names, in order. */
  readonly scopes: readonly string[];
  private readonly all: Lists;
  private readonly views = new Map<string, CatalogueView>();
  private readonly shown = { permitted: new Map<string, CatalogueView>(), all: new Map<string, CatalogueView>() };

  /** @throws Error when two modules bring the same primitive */
  constructor(
    modules: readonly CompiledSource[],
    private readonly pageSize: number,
  ) {
    this.all = {
      tools: new EntryList(join(modules, 'tools'), pageSize),
      resources: new EntryList(join(modules, 'resources'), pageSize),
      templates: new EntryList(join(modules, 'templates'), pageSize),
      prompts: new EntryList(join(modules, 'prompts'), pageSize),
    };
    this.scopes = scopesOf(this.all);
    const instructions = modules.flatMap((module) => module.instructions ?? []);
    this.instructions = instructions.length === 0 ? undefined : instructions.join('\n\n');
  }

  /**
   * What this grant sees; made once for all grants that permit the same here.
   * @param showAll whether what the grant does not permit is listed too
   */
  view(grant: Grant, showAll: boolean): CatalogueView {
    const byGrant = showAll ? this.shown.all : this.shown.permitted;
    const known = byGrant.get(grant.key);
    if (known) return known;
    const view = this.viewOf(grant, showAll);
    keepLatest(byGrant, grant.key, view, MAX_GRANTS);
    return view;
  }

  /** Grants differ in more than what is here, such as the groups of a person; views do not. */
  private viewOf(grant: Grant, showAll: boolean): CatalogueView {
    const permitted = this.scopes.filter((scope) => grant.permits([scope]));
    const key = JSON.stringify([grant.canStepUp, showAll, permitted]);
    const known = this.views.get(key);
    if (known) return known;
    const view = new CatalogueView({ all: this.all, grant, showAll, pageSize: this.pageSize });
    keepLatest(this.views, key, view, MAX_VIEWS);
    return view;
  }
}

function scopesOf(lists: Lists): readonly string[] {
  const named = LIST_KINDS.flatMap((kind) => lists[kind].entries.flatMap((entry) => entry.scopes));
  return [...new Set(named)].sort();
}

function join<K extends keyof Entries>(modules: readonly CompiledSource[], kind: K): Entries[K] {
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
