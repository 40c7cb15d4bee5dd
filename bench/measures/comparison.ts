import { type Load, load, type Target } from '../load.js';
import { median } from '../median.js';
import { type Check, probe } from '../probe.js';
import type { McpRequest } from '../requests.js';
import { type ServerProcess, type ServerSpec, startServer } from '../server-process.js';
import type { Effort, Finding } from './measure.js';

/** One side of a comparison. */
export interface Side {
  readonly paths: readonly string[];
  readonly request: McpRequest;
  readonly check: Check;
}

export interface Comparison {
  readonly subject: Side & { readonly server: ServerSpec };
  /** Its server may be made from the body that the subject answers with. Sides with the same specification share a process. */
  readonly baseline: Side & { readonly server: ServerSpec | ((subjectBody: string) => ServerSpec) };
}

/** Loads subject and baseline in turn, pass after pass. Each pass gives one ratio: the subject's rate over its neighbour's. */
export async function compare({ subject, baseline }: Comparison, effort: Effort): Promise<Finding> {
  const servers: ServerProcess[] = [];
  const start = async (spec: ServerSpec) => {
    const server = await startServer(spec);
    servers.push(server);
    return server;
  };
  try {
    const first = await aim(await start(subject.server), subject);
    const spec = typeof baseline.server === 'function' ? baseline.server(first.expected) : baseline.server;
    const second = await aim(spec === subject.server ? first.server : await start(spec), baseline);
    return await pace([first, second], effort);
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function aim(server: ServerProcess, { paths, request, check }: Side): Promise<Target> {
  const expected = await probe(`${server.url}${paths[0] ?? ''}`, request, check);
  return { server, paths, request, expected };
}

async function pace([subject, baseline]: readonly [Target, Target], effort: Effort): Promise<Finding> {
  for (const target of [subject, baseline]) {
    if (target.paths.length > 1) await load(target, { requests: target.paths.length });
    await load(target, { seconds: effort.warmUpSeconds });
  }
  const pairs: Pair[] = [];
  const disturbed: Pair[] = [];
  while (pairs.length < effort.passes) {
    const extent = { seconds: effort.secondsPerLoad };
    const pair = { subject: await load(subject, extent), baseline: await load(baseline, extent) };
    const again = (pair.subject.disturbed || pair.baseline.disturbed) && disturbed.length < effort.sparePasses;
    (again ? disturbed : pairs).push(pair);
  }
  return conclude(pairs, disturbed);
}

interface Pair {
  readonly subject: Load;
  readonly baseline: Load;
}

function conclude(pairs: readonly Pair[], disturbed: readonly Pair[]): Finding {
  const passes = pairs.map((pair) => pair.subject.rate / pair.baseline.rate);
  const cpuRatio = median(pairs.map((pair) => pair.baseline.cpu / pair.subject.cpu));
  const sides = [pairs.map((pair) => pair.subject), pairs.map((pair) => pair.baseline)] as const;
  return {
    value: median(passes),
    passes,
    details: { cpuRatio, pairs, disturbed },
    summary: `${sides.map(summarise).join(' to ')}; by processor time ${cpuRatio.toFixed(2)}`,
  };
}

function summarise(loads: readonly Load[]): string {
  const of = (pick: (one: Load) => number) => median(loads.map(pick)).toFixed(0);
  return `${of((one) => one.rate)}/s (${of((one) => one.cpu)} µs each, busy ${of((one) => one.serverBusy * 100)}%)`;
}
