/** A response was larger than it may be. */
export class TooLargeError extends Error {
  constructor(limit: number) {
    super(`The response is larger than ${limit} bytes.`);
    this.name = 'TooLargeError';
  }
}

/**
 * Reads a body whole, decompressed as it comes.
 * @param limit in bytes
 * @throws TooLargeError as soon as there are more
 */
export async function readWithin(body: AsyncIterable<unknown> | null, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > limit) throw new TooLargeError(limit);
    chunks.push(bytes);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
