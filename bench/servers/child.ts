import { setTimeout as delay } from 'node:timers/promises';
import { processorTime } from '../processor-time.js';
import type { Order, Reply, Usage } from './messages.js';

export interface Listening {
  /** The origin, without a trailing slash. */
  readonly url: string;
  /** Access tokens for whoever asks. */
  readonly tokens?: readonly string[];
  close(): Promise<void>;
}

/**
 * Makes this process a server under test: it starts, is watched and stops by the parent's orders, and ends with the
 * parent. `scratch` is an empty directory of its own, which the parent removes.
 */
export function obeyParent<Options>(start: (options: Options, scratch: string) => Promise<Listening>): void {
  let listening: Listening | undefined;
  const obey = async (order: Order): Promise<Reply> => {
    switch (order.kind) {
      case 'start':
        listening = await start(order.options as Options, order.scratch);
        return { kind: 'listening', url: listening.url, tokens: listening.tokens ?? [] };
      case 'usage':
        return { kind: 'usage', usage: await usage() };
      case 'stop':
        await listening?.close();
        return { kind: 'stopped' };
    }
  };
  process.on('message', (order: Order) => {
    void obey(order)
      .catch(failure)
      .then((reply) => process.send?.(reply, () => order.kind === 'stop' && process.exit()));
  });
  process.on('disconnect', () => process.exit());
}

function failure(error: unknown): Reply {
  return { kind: 'failed', message: String(error instanceof Error ? error.stack : error) };
}

async function usage(): Promise<Usage> {
  if (globalThis.gc) await collect(globalThis.gc);
  const { rss, heapUsed, external } = process.memoryUsage();
  return { ...processorTime(), resident: rss, live: heapUsed + external };
}

/**
 * Several rounds: finalisers of one free what the next collects, and the allocator gives pages back with a delay. The
 * collector gives back too what it keeps for more of the load that has just ended.
 */
async function collect(gc: NodeJS.GCFunction): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await gc({ type: 'major', execution: 'async', flavor: 'last-resort' });
    await delay(250);
  }
}
