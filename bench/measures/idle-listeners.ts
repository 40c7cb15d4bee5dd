import { setTimeout as delay } from 'node:timers/promises';
import { closeListeners, openListeners } from '../listeners.js';
import { median } from '../median.js';
import { startServer } from '../server-process.js';
import type { Finding, Measure } from './measure.js';

const STREAMS = 2000;
/** Opened, read and closed first, so that what comes once (code, pools, caches) is not counted as the streams'. */
const FIRST_STREAMS = 200;
const SETTLE_MS = 1000;

interface Cost {
  /** KB of resident memory a stream. */
  readonly resident: number;
  /** KB of live JavaScript memory a stream, in and outside the heap. */
  readonly live: number;
}

/** What one open listen stream costs the server that does nothing but hold it. */
export const idleListeners: Measure = {
  name: 'idle_listener_kb',
  title: `Resident memory of an idle listen stream, over ${STREAMS} streams`,
  ratio: true,
  unit: 'KB',
  goal: { atMost: 20 },
  run: async ({ passes }): Promise<Finding> => {
    const costs: Cost[] = [];
    for (let pass = 0; pass < Math.ceil(passes / 3); pass++) costs.push(await costOfStreams());
    const resident = costs.map((cost) => cost.resident);
    const live = median(costs.map((cost) => cost.live));
    return {
      value: median(resident),
      passes: resident,
      details: { live, costs },
      summary: `${live.toFixed(1)} KB of it live objects`,
    };
  },
};

/** Each time in a fresh process: one that has held streams before reuses their memory, and would seem cheaper. */
async function costOfStreams(): Promise<Cost> {
  const server = await startServer({ program: 'causeway', options: { tools: [1] } }, ['--expose-gc']);
  const url = new URL('/t/bench-1/mcp', server.url);
  try {
    const first = await openListeners(url, FIRST_STREAMS);
    await server.usage();
    closeListeners(first);
    await delay(SETTLE_MS);
    const before = await server.usage();
    const sockets = await openListeners(url, STREAMS);
    await delay(SETTLE_MS);
    const after = await server.usage();
    closeListeners(sockets);
    const perStream = (bytes: number) => bytes / 1024 / STREAMS;
    return { resident: perStream(after.resident - before.resident), live: perStream(after.live - before.live) };
  } finally {
    await server.stop();
  }
}
