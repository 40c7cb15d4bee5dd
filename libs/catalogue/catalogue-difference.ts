import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from './catalogue.js';
import type { Grant } from './catalogue-view.js';
import { type Entries, LIST_KINDS, type ListKind } from './entries.js';

type Entry = Entries[ListKind][number];

/** A primitive that is in both catalogues and not the same. */
export interface ChangedPrimitive {
  readonly key: string;
  /** Which members of it differ, such as `description` or `inputSchema`; `scopes` and `timeoutMs` among them. */
  readonly members: readonly string[];
}

/** How one kind of primitives differs, by name, URI or URI template. */
export interface ListDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedPrimitive[];
}

export type CatalogueDifference = Readonly<Record<ListKind, ListDifference>>;

/** Sees everything. */
export const EVERYTHING: Grant = { key: 'everything', canStepUp: true, permits: () => true };

/** What leads from one catalogue of a tenant to another; undefined stands for an empty one. */
export function differenceOf(before: Catalogue | undefined, after: Catalogue | undefined): CatalogueDifference {
  const lists = LIST_KINDS.map((kind) => [kind, compare(entriesOf(before, kind), entriesOf(after, kind))] as const);
  return Object.fromEntries(lists) as unknown as CatalogueDifference;
}

function entriesOf(catalogue: Catalogue | undefined, kind: ListKind): ReadonlyMap<string, Entry> {
  const entries: readonly Entry[] = catalogue?.view(EVERYTHING).lists[kind].entries ?? [];
  return new Map(entries.map((entry) => [entry.key, entry]));
}

function compare(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): ListDifference {
  return {
    added: [...after.keys()].filter((key) => !before.has(key)),
    removed: [...before.keys()].filter((key) => !after.has(key)),
    changed: [...after].flatMap(([key, entry]) => {
      const old = before.get(key);
      const members = old && old !== entry ? changedMembers(shownOf(old), shownOf(entry)) : [];
      return members.length === 0 ? [] : [{ key, members }];
    }),
  };
}

/** What callers meet of it: all but how it works inside. */
function shownOf({ definition, scopes, timeoutMs }: Entry): Readonly<Record<string, unknown>> {
  return { ...definition, scopes, timeoutMs };
}

function changedMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name])).sort();
}
