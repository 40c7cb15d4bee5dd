import { describe, expect, it } from '@jest/globals';
import { rememberingFetch } from './remembering-fetch.js';

/** A place that answers what the test says, and counts how often it is asked. */
function place(answer: () => Response = () => new Response('{}')) {
  const asked: string[] = [];
  const clock = { now: 0 };
  const fetch = rememberingFetch(
    async (url) => {
      asked.push(new URL(url).href);
      return Promise.resolve(answer());
    },
    () => clock.now,
  );
  return { asked, clock, fetch: (url: string) => fetch(url, {}) };
}

describe('what came of fetching a document', () => {
  it('is remembered for half a minute, and can be read each time', async () => {
    const { asked, clock, fetch } = place(() => new Response('{"a":1}', { status: 404, headers: { 'x-a': 'b' } }));
    for (let count = 0; count < 3; count += 1) {
      const response = await fetch('https://app.example/a');
      expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([404, 'b', '{"a":1}']);
    }
    clock.now = 29_999;
    await fetch('https://app.example/a');
    expect(asked).toHaveLength(1);
    clock.now = 30_000;
    await fetch('https://app.example/a');
    expect(asked).toHaveLength(2);
  });

  it('is remembered where it failed, and shared by all who ask at once', async () => {
    const { asked, fetch } = place(() => {
      throw new TypeError('no connection');
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => fetch('https://app.example/a')));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(fetch('https://app.example/a')).rejects.toThrow('no connection');
    expect(asked).toHaveLength(1);
  });

  it('is of one address alone', async () => {
    const { asked, fetch } = place();
    await fetch('https://app.example/a');
    await fetch('https://app.example/b');
    await fetch('https://APP.example:443/a');
    expect(asked).toEqual(['https://app.example/a', 'https://app.example/b']);
  });

  it('is kept of five hundred addresses', async () => {
    const { asked, fetch } = place();
    for (let index = 0; index <= 500; index += 1) await fetch(`https://app.example/${index}`);
    await fetch('https://app.example/500');
    expect(asked).toHaveLength(501);
    await fetch('https://app.example/0');
    expect(asked).toHaveLength(502);
  });

  it('may be empty, and is refused where it is too large to be kept', async () => {
    const empty = await place(() => new Response(null, { status: 204 })).fetch('https://app.example/');
    expect([empty.status, await empty.text()]).toEqual([204, '']);
    const large = place(() => new Response('a'.repeat(64 * 1024 + 1)));
    await expect(large.fetch('https://app.example/')).rejects.toThrow('larger than');
  });
});
