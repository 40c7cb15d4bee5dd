import { setTimeout as delay } from 'node:timers/promises';
import { closeListeners, openListeners } from '../listeners.js';
import { median } from '../median.js';
import { makeScratch, removeScratch, type ServerSpec, startServer } from '../server-process.js';
import type { Finding, Measure } from './measure.js';

const STREAMS = 2000;
/** Opened, read and closed first, so that what comes once (code, pools, caches) is not counted as the streams'. */
const FIRST_STREAMS = 200;
const SETTLE_MS = 1000;

const server: ServerSpec = { program: 'causeway', options: { tools: [1] } };

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
    const scratch = makeScratch();
    try {
      await (await startServer(server, { scratch })).stop();
      const costs: Cost[] = [];
      for (let pass = 0; pass < Math.ceil(passes / 3); pass++) costs.push(await costOfStreams(scratch));
      const resident = costs.map((cost) => cost.resident);
      const live = median(costs.map((cost) => cost.live));
      return {
        value: median(resident),
        passes: resident,
        details: { live, costs },
        summary: `${live.toFixed(1)} KB of it live objects`,
      };
    } finally {
      removeScratch(scratch);
    }
  },
};

/**
 * Takes a fresh process each time, on data that is there already. Memory that was used and freed before stays resident
 * and is used again, so that streams would seem to cost nothing; there is much of it where a database was just made or
 * other streams were, and the allocator is told to give back what it can.
 */
async function costOfStreams(scratch: string): Promise<Cost> {
  const { url, usage, stop } = await startServer(server, {
    scratch,
    nodeOptions: ['--expose-gc'],
    environment: { MALLOC_TRIM_THRESHOLD_: '65536' },
  });
  const endpoint = new URL('/t/bench-1/mcp', url);
  try {
    const first = await openListeners(endpoint, FIRST_STREAMS);
    await usage();
    closeListeners(first);
    await delay(SETTLE_MS);
    const before = await usage();
    const streams = await openListeners(endpoint, STREAMS);
    await delay(SETTLE_MS);
    const after = await usage();
    closeListeners(streams);
    const perStream = (bytes: number) => bytes / 1024 / STREAMS;
    return { resident: perStream(after.resident - before.resident), live: perStream(after.live - before.live) };
  } finally {
    await stop();
  }
}
