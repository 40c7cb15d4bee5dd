import { keepLatest } from '#protocol/keep-latest.js';
import { type Entries, type ListKind, LIST_KINDS, type ResourceEntry, type TemplateEntry } from './entries.js';
import { EntryList } from './entry-list.js';
import type { UriTemplate } from './uri-template.js';

/** What a caller's scopes permit. */
export interface Grant {
  /** Equal for grants that permit the same. */
  readonly key: string;
  /** Whether its holder can ask for more. To others, what they lack scopes for does not exist. */
  readonly canStepUp: boolean;
  permits(scopes: readonly string[]): boolean;
}

/** A primitive that is there, and that the grant does not permit. */
export class Forbidden {
  /** @param scopes every scope that it needs, those that are granted too */
  constructor(readonly scopes: readonly string[]) {}
}

/** A resource found by URI: fixed, or by a template with the variables that the URI gives. */
export type FoundResource =
  | { readonly type: 'fixed'; readonly entry: ResourceEntry }
  | { readonly type: 'template'; readonly entry: TemplateEntry; readonly variables: ReturnType<UriTemplate['match']> };

export type Lists = { readonly [K in ListKind]: EntryList<Entries[K][number]> };

export interface ViewOptions {
  /** Everything that is there. */
  readonly all: Lists;
  readonly grant: Grant;
  /** Whether what the grant does not permit is listed too; to use it is another matter. */
  readonly showAll: boolean;
  readonly pageSize: number;
}

/** How much a look-up may try: characters of the URI by parts of the templates that it is tried with. About 30 ms. */
const MAX_WORK = 300_000;
/** For how many URIs it is remembered whether they may be read. */
const MAX_PERMISSIONS = 1_000;

/** A catalogue as one grant sees it. */
export class CatalogueView {
  /** What is listed. */
  readonly lists: Lists;
  private readonly permitted: Lists;
  private readonly all: Lists;
  private readonly canStepUp: boolean;
  private readonly permissions = new Map<string, boolean>();

  constructor({ all, grant, showAll, pageSize }: ViewOptions) {
    this.all = all;
    this.canStepUp = grant.canStepUp;
    this.permitted = permittedOf(all, grant, pageSize);
    this.lists = showAll && grant.canStepUp ? all : this.permitted;
  }

  /** The primitive with this key if the grant permits it. Undefined: there is none, as far as the caller may know. */
  find<K extends ListKind>(kind: K, key: string): Entries[K][number] | Forbidden | undefined {
    return this.permitted[kind].find(key) ?? this.forbidden(this.all[kind].find(key));
  }

  /**
   * The resource behind a URI. A fixed one wins over templates; among templates the first in order of their text. Which
   * one that is does not depend on who asks: what a URI means is the same for all, and nobody reads by a wide template
   * what a narrow one keeps from them. A URI that has the literals of very many templates and matches none of the first of
   * them is no resource: to try them all would hold up everybody.
   */
  findResource(uri: string): FoundResource | Forbidden | undefined {
    const fixed = this.all.resources.find(uri);
    if (fixed) return this.permitted.resources.find(uri) ? { type: 'fixed', entry: fixed } : this.forbidden(fixed);
    let work = 0;
    for (const entry of this.all.templates.entries) {
      if (!entry.template.mayMatch(uri)) continue;
      if (work > MAX_WORK) return undefined;
      work += uri.length * entry.template.size;
      const variables = entry.template.match(uri);
      if (!variables) continue;
      return this.permitted.templates.find(entry.key) ? { type: 'template', entry, variables } : this.forbidden(entry);
    }
    return undefined;
  }

  /** Whether the grant may read what is behind the URI; remembered for a while. */
  permitsResource(uri: string): boolean {
    const known = this.permissions.get(uri);
    if (known !== undefined) return known;
    const found = this.findResource(uri);
    const permits = found !== undefined && !(found instanceof Forbidden);
    keepLatest(this.permissions, uri, permits, MAX_PERMISSIONS);
    return permits;
  }

  /** The kinds whose lists look different in the other view. */
  changedLists(other: CatalogueView): ReadonlySet<ListKind> {
    if (other === this) return new Set();
    return new Set(LIST_KINDS.filter((kind) => this.lists[kind].digest !== other.lists[kind].digest));
  }

  private forbidden(entry: { readonly scopes: readonly string[] } | undefined): Forbidden | undefined {
    return entry && this.canStepUp ? new Forbidden(entry.scopes) : undefined;
  }
}

function permittedOf(all: Lists, grant: Grant, pageSize: number): Lists {
  const permitted = <E extends Entries[ListKind][number]>(list: EntryList<E>): EntryList<E> => {
    const entries = list.entries.filter((entry) => grant.permits(entry.scopes));
    return entries.length === list.entries.length ? list : new EntryList(entries, pageSize);
  };
  return {
    tools: permitted(all.tools),
    resources: permitted(all.resources),
    templates: permitted(all.templates),
    prompts: permitted(all.prompts),
  };
}
