import { median } from '../median.js';
import { startServer } from '../server-process.js';
import type { CompilationTimes } from '../servers/compilation.js';
import type { Finding, Measure } from './measure.js';

const TOOLS = 1_000;
/** A fresh process compiles its own code first. */
const WARM_UP = 2;

export const compilation: Measure = {
  name: 'compile_1000_tools_ms',
  title: 'Compiling a catalogue of 1,000 HTTP tools, none like another',
  ratio: false,
  unit: 'ms',
  goal: { atMost: 1_000 },
  run: ({ passes }) => measured(passes, ({ whole }) => whole),
};

export const compilationTurn: Measure = {
  name: 'compile_longest_turn_ms',
  title: 'The longest that a call waits for its turn meanwhile',
  ratio: false,
  unit: 'ms',
  goal: { atMost: 50 },
  run: ({ passes }) => measured(passes, ({ longestTurn }) => longestTurn),
};

async function measured(passes: number, pick: (times: CompilationTimes) => number): Promise<Finding> {
  const server = await startServer({ program: 'compilation', options: { tools: TOOLS } });
  try {
    const first = await compileOnce(server.url);
    for (let pass = 1; pass < WARM_UP; pass++) await compileOnce(server.url);
    const found: CompilationTimes[] = [];
    for (let pass = 0; pass < passes; pass++) found.push(await compileOnce(server.url));
    const values = found.map(pick);
    const summary = `${pick(first).toFixed(0)} ms in a fresh process`;
    return { value: median(values), passes: values, details: { first, found }, summary };
  } finally {
    await server.stop();
  }
}

async function compileOnce(url: string): Promise<CompilationTimes> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  return (await response.json()) as CompilationTimes;
}
