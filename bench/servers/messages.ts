import type { ProcessorTime } from '../processor-time.js';

/** What the benchmark asks of a server process over IPC. */
export type Order =
  { readonly kind: 'start'; readonly options: unknown; readonly scratch: string } | { readonly kind: 'usage' | 'stop' };

/** What the process answers, one reply an order. */
export type Reply =
  | { readonly kind: 'listening'; readonly url: string; readonly tokens: readonly string[] }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly message: string };

/** What the process has used so far. Memory is read after a full collection when `--expose-gc` is on. */
export interface Usage extends ProcessorTime {
  /** Bytes. */
  readonly resident: number;
  /** Bytes of live JavaScript objects and of the memory they hold outside the heap. */
  readonly live: number;
}
