import { keepLatest } from '#protocol/keep-latest.js';
import type { FetchClientDocument } from './provider-parts.js';

/** For so long an address is not asked again, in milliseconds. */
const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 500;
/** How many are asked at once. */
const MAX_AT_ONCE = 50;
/** The largest body that is kept, in bytes. */
const MAX_BYTES = 64 * 1024;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ArrayBuffer | null;
}

interface Remembered {
  readonly answer: Promise<Answer>;
  readonly until: number;
}

/**
 * Remembers for a short time what came of fetching a client's document or keys, a failure too: the provider keeps what
 * it could use, and would ask again and again for what it could not, on behalf of whoever names the address.
 */
export function rememberingFetch(fetch: FetchClientDocument, now: () => number = Date.now): FetchClientDocument {
  const remembered = new Map<string, Remembered>();
  let running = 0;
  return async (url, init) => {
    const key = new URL(url).href;
    const known = remembered.get(key);
    if (known && known.until > now()) return responseOf(await known.answer);
    if (running >= MAX_AT_ONCE) throw new TypeError('Too many documents are being fetched.');
    running += 1;
    const answer = fetch(url, init)
      .then(answerOf)
      .finally(() => (running -= 1));
    keepLatest(remembered, key, { answer, until: now() + REMEMBERED_MS }, MAX_REMEMBERED);
    return responseOf(await answer);
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const body = response.body && (await response.arrayBuffer());
  if (body && body.byteLength > MAX_BYTES) throw new TypeError(`The document is larger than ${MAX_BYTES} bytes.`);
  return { status, headers, body };
}

function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
