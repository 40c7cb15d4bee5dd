import { type Entries, type ListKind, LIST_KINDS, type ResourceEntry, type TemplateEntry } from './entries.js';
import { EntryList } from './entry-list.js';
import type { UriTemplate } from './uri-template.js';

/** What a caller's scopes permit. `key` is equal for grants that permit the same. */
export interface Grant {
  readonly key: string;
  permits(scopes: readonly string[]): boolean;
}

/** A resource found by URI: fixed, or by a template with the variables that the URI gives. */
export type FoundResource =
  | { readonly type: 'fixed'; readonly entry: ResourceEntry }
  | { readonly type: 'template'; readonly entry: TemplateEntry; readonly variables: ReturnType<UriTemplate['match']> };

export type Lists = { readonly [K in ListKind]: EntryList<Entries[K][number]> };

/** The part of a catalogue that one grant may see. */
export class CatalogueView {
  readonly lists: Lists;

  constructor(entries: Entries, grant: Grant, pageSize: number) {
    const visible = <E extends Entries[ListKind][number]>(all: readonly E[]): EntryList<E> =>
      new EntryList(
        all.filter((entry) => grant.permits(entry.scopes)),
        pageSize,
      );
    this.lists = {
      tools: visible(entries.tools),
      resources: visible(entries.resources),
      templates: visible(entries.templates),
      prompts: visible(entries.prompts),
    };
  }

  /** A fixed resource wins over templates; among templates the first in order of their text. */
  findResource(uri: string): FoundResource | undefined {
    const fixed = this.lists.resources.find(uri);
    if (fixed) return { type: 'fixed', entry: fixed };
    for (const entry of this.lists.templates.entries) {
      const variables = entry.template.match(uri);
      if (variables) return { type: 'template', entry, variables };
    }
    return undefined;
  }

  /** The kinds whose lists look different in the other view. */
  changedLists(other: CatalogueView): ReadonlySet<ListKind> {
    if (other === this) return new Set();
    return new Set(LIST_KINDS.filter((kind) => this.lists[kind].digest !== other.lists[kind].digest));
  }
}
