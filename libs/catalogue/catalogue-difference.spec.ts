import { describe, expect, it } from '@jest/globals';
import type { Catalogue } from './catalogue.js';
import { CatalogueContent } from './catalogue-content.js';
import { differenceOf } from './catalogue-difference.js';
import type { Entries } from './entries.js';

function catalogueOf(tools: Readonly<Record<string, object>>): Catalogue {
  const entries = Object.entries(tools).map(([key, { scopes = [], ...definition }]: [string, any]) => {
    return { key, source: 's', definition: { name: key, ...definition }, scopes, timeoutMs: undefined };
  });
  const source = { name: 's', title: undefined, instructions: undefined };
  const lists = { tools: entries, resources: [], templates: [], prompts: [] } as unknown as Entries;
  const content = new CatalogueContent([{ ...source, entries: lists }], 10);
  return { view: (grant: Parameters<CatalogueContent['view']>[0]) => content.view(grant, true) } as Catalogue;
}

const NOTHING = { added: [], removed: [], changed: [] };

describe('the difference of two catalogues', () => {
  it('names what is added, what is removed, and which members of the rest differ', () => {
    const before = catalogueOf({ a: { description: '1' }, b: { title: 'B' }, c: {}, d: { scopes: ['x'] } });
    const after = catalogueOf({ a: { description: '2', title: 'A' }, b: { title: 'B' }, d: { scopes: ['y'] }, e: {} });
    expect(differenceOf(before, after).tools).toEqual({
      added: ['e'],
      removed: ['c'],
      changed: [
        { key: 'a', members: ['description', 'title'] },
        { key: 'd', members: ['scopes'] },
      ],
    });
  });

  it('is nothing between equal ones, and everything from an empty one', () => {
    const catalogue = catalogueOf({ a: { inputSchema: { type: 'object' } } });
    const same = catalogueOf({ a: { inputSchema: { type: 'object' } } });
    expect(differenceOf(catalogue, same)).toEqual({
      tools: NOTHING,
      resources: NOTHING,
      templates: NOTHING,
      prompts: NOTHING,
    });
    expect(differenceOf(undefined, catalogue).tools.added).toEqual(['a']);
    expect(differenceOf(catalogue, undefined).tools.removed).toEqual(['a']);
  });
});
