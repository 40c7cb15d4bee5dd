import { describe, expect, it } from '@jest/globals';
import { EntryList } from './entry-list.js';

const entry = (key: string) => ({ key, definition: { name: key } });
const list = (...keys: string[]) => new EntryList(keys.map(entry), 2);

describe('a list', () => {
  it('is in the order of its keys, whatever order they come in', () => {
    expect(list('c', 'a', 'b').entries.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(list('c', 'a').digest).toBe(list('a', 'c').digest);
  });

  it('comes in pages, the last without a key to go on from', () => {
    const three = list('a', 'b', 'c');
    expect(three.page(undefined)).toEqual({ json: '[{"name":"a"},{"name":"b"}]', lastKey: 'b' });
    expect(three.page('b')).toEqual({ json: '[{"name":"c"}]', lastKey: undefined });
    expect(three.page('z')).toEqual({ json: '[]', lastKey: undefined });
    expect(list().page(undefined)).toEqual({ json: '[]', lastKey: undefined });
  });

  it('goes on at the right place although the last entry is gone', () => {
    expect(list('a', 'c', 'd').page('b').json).toBe('[{"name":"c"},{"name":"d"}]');
  });
});
