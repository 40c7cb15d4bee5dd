import type { IncomingMessage } from 'node:http';

/** What became of a body: its bytes, or that it is larger than the limit. */
export type Body = Buffer | 'too large';

/**
 * Reads a body and calls back once, unless the client goes away before its end. A body over the limit is not read on: the
 * connection is no good for another request then.
 * @param limit in bytes
 */
export function readBody(request: IncomingMessage, limit: number, done: (body: Body) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    done('too large');
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > limit) {
      request.off('data', take).off('end', finish).pause();
      done('too large');
    }
  };
  const finish = (): void => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  request.on('data', take).on('end', finish);
}
