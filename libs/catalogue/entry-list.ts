import { createHash } from 'node:crypto';

interface Listed {
  readonly key: string;
  readonly definition: object;
}

/** One page of a list. */
export interface ListPage {
  /** The entries as the text of a JSON array. */
  readonly json: string;
  /** The key of the last entry when more follow. */
  readonly lastKey: string | undefined;
}

/** The entries of one kind that one grant may see, in a fixed order (by key), encoded once. */
export class EntryList<E extends Listed> {
  readonly entries: readonly E[];
  private readonly byKey: ReadonlyMap<string, E>;
  private readonly pages = new Map<number, ListPage>();
  private digestText: string | undefined;

  constructor(
    entries: readonly E[],
    private readonly pageSize: number,
  ) {
    this.entries = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1));
    this.byKey = new Map(this.entries.map((entry) => [entry.key, entry]));
  }

  find(key: string): E | undefined {
    return this.byKey.get(key);
  }

  /** The page after this key, or the first. The key need not be listed any more. */
  page(after: string | undefined): ListPage {
    const start = after === undefined ? 0 : this.firstAfter(after);
    let page = this.pages.get(start);
    if (page === undefined) {
      page = this.encode(start);
      this.pages.set(start, page);
    }
    return page;
  }

  /** Equal for lists that look the same to a client. */
  get digest(): string {
    this.digestText ??= createHash('sha256').update(encode(this.entries)).digest('base64');
    return this.digestText;
  }

  private encode(start: number): ListPage {
    const shown = this.entries.slice(start, start + this.pageSize);
    const more = start + this.pageSize < this.entries.length;
    return { json: encode(shown), lastKey: more ? shown.at(-1)?.key : undefined };
  }

  private firstAfter(key: string): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle] as E).key <= key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function encode(entries: readonly Listed[]): string {
  return JSON.stringify(entries.map((entry) => entry.definition));
}
