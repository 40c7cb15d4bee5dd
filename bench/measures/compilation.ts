import { performance } from 'node:perf_hooks';
import { median } from '../median.js';
import { echoesText, listsTools, probe } from '../probe.js';
import { callEcho, listTools } from '../requests.js';
import { type ServerProcess, type ServerSpec, startServer } from '../server-process.js';
import type { Finding, Measure } from './measure.js';

const TOOLS = 1_000;
/** How long others call before, to know how long that takes. */
const BEFORE_MS = 1_000;

interface Compilation {
  /** From the first request of a tenant to its answer, in milliseconds: its rows are read, and compiled. */
  readonly first: number;
  /** The longest call of another tenant's tool meanwhile, in milliseconds. */
  readonly longest: number;
  /** The same before. */
  readonly before: number;
}

export const compilation: Measure = {
  name: 'compile_1000_tools_ms',
  title: 'First answer of a tenant with 1,000 HTTP tools: rows read and compiled',
  ratio: false,
  unit: 'ms',
  goal: { atMost: 1_000 },
  run: ({ passes }) => measured(passes, ({ first }) => first),
};

export const compilationDelay: Measure = {
  name: 'call_while_compiling_ms',
  title: 'Longest call of another tool meanwhile',
  ratio: false,
  unit: 'ms',
  goal: { atMost: 50 },
  run: ({ passes }) => measured(passes, ({ longest }) => longest),
};

async function measured(passes: number, pick: (one: Compilation) => number): Promise<Finding> {
  const httpTools = { upstream: 'http://127.0.0.1:1', tenants: passes, tools: TOOLS };
  const spec: ServerSpec = { program: 'causeway', options: { tools: [1], httpTools } };
  const server = await startServer(spec);
  try {
    const found: Compilation[] = [];
    for (let pass = 0; pass < passes; pass++) found.push(await compileOne(server, `/t/http-${pass}/mcp`));
    const of = (one: keyof Compilation) => median(found.map((each) => each[one])).toFixed(0);
    return {
      value: median(found.map(pick)),
      passes: found.map(pick),
      details: { found },
      summary: `first answer ${of('first')} ms, longest call meanwhile ${of('longest')} ms, before ${of('before')} ms`,
    };
  } finally {
    await server.stop();
  }
}

async function compileOne({ url }: ServerProcess, path: string): Promise<Compilation> {
  const calls = keepCalling(`${url}/t/bench-1/mcp`);
  await new Promise((resolve) => setTimeout(resolve, BEFORE_MS));
  const before = calls.longest();
  const started = performance.now();
  await probe(`${url}${path}`, listTools, listsTools(100));
  const first = performance.now() - started;
  return { first, before, longest: await calls.end() };
}

/** Calls another tenant's tool over and over. `longest` is the longest call since it was asked last. */
function keepCalling(url: string): { longest(): number; end(): Promise<number> } {
  let longest = 0;
  const stop = new AbortController();
  const done = (async () => {
    while (!stop.signal.aborted) {
      const started = performance.now();
      await probe(url, callEcho, echoesText);
      longest = Math.max(longest, performance.now() - started);
    }
  })();
  const take = (): number => {
    const taken = longest;
    longest = 0;
    return taken;
  };
  return {
    longest: take,
    end: async () => {
      stop.abort();
      await done;
      return take();
    },
  };
}
