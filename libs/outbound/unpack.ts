import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { codeOf } from './error-code.js';
import { TooLargeError } from './read-within.js';

/** What `Accept-Encoding` says we can unpack. */
export const ENCODINGS = 'gzip, deflate, br';

type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const UNPACKERS: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** A body is packed in a way that is not known, or is not what it says it is. */
export class PackingError extends Error {
  constructor(problem: string) {
    super(`The response ${problem}.`);
    this.name = 'PackingError';
  }
}

/**
 * Unpacks a body (RFC 9110 section 8.4); as it is when the field names no packing.
 * @param encoding the field `Content-Encoding`
 * @param limit bytes of the unpacked body; nothing beyond them is unpacked
 * @throws PackingError, TooLargeError
 */
export async function unpack(body: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const [coding, ...more] = encoding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');
  if (coding === undefined) return body;
  const unpacker = more.length === 0 ? UNPACKERS.get(coding) : undefined;
  if (!unpacker) throw new PackingError('is packed in a way that is not known');
  try {
    return await unpacker(body, { maxOutputLength: limit });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new TooLargeError(limit);
    throw new PackingError('cannot be unpacked');
  }
}
