import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median } from '../median.js';
import { probe } from '../probe.js';
import { listTools } from '../requests.js';
import { endProcess, makeScratch, removeScratch, startProgram } from '../server-process.js';
import type { Finding, Measure } from './measure.js';

const PROGRAM = fileURLToPath(new URL('../../apps/server/main.js', import.meta.url));
const LIMIT_MS = 60_000;

/** How long the built product takes from its start to its first answer, on data that is there already. */
export const startUp: Measure = {
  name: 'startup_ms',
  title: 'Start-up of the built server on an existing data directory',
  ratio: false,
  unit: 'ms',
  goal: { atMost: 3000 },
  run: async ({ passes }): Promise<Finding> => {
    const directory = makeScratch();
    try {
      const first = await timeStart(directory);
      const times: number[] = [];
      for (let pass = 0; pass < passes; pass++) times.push(await timeStart(directory));
      return {
        value: median(times),
        passes: times,
        details: { first },
        summary: `${first.toFixed(0)} ms on an empty one`,
      };
    } finally {
      removeScratch(directory);
    }
  },
};

async function timeStart(directory: string): Promise<number> {
  const started = performance.now();
  const child = startProgram(PROGRAM, { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' });
  try {
    await probe(await readAddress(child), listTools, (result) => 'tools' in result);
    return performance.now() - started;
  } finally {
    await endProcess(child);
  }
}

/** The first URL that the process prints: the demo tenant's. */
async function readAddress(child: ChildProcess): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error('The server did not say where it listens.'));
    setTimeout(fail, LIMIT_MS).unref();
    createInterface({ input: child.stdout! })
      .on('close', fail)
      .on('line', (line) => {
        const [url] = /http:\/\/\S+/.exec(line) ?? [];
        if (url !== undefined) resolve(url);
      });
  });
}
