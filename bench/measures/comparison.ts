import { type Load, load, type Target } from '../load.js';
import { median } from '../median.js';
import type { Contender, ReadyTargets } from '../ready-targets.js';
import type { Effort, Finding } from './measure.js';

export interface Comparison {
  readonly subject: Contender;
  /** May be made from the body that the subject answers with. */
  readonly baseline: Contender | ((subjectBody: string) => Contender);
}

/** Loads subject and baseline in turn, pass after pass. Each pass gives one ratio: the subject's rate over its neighbour's. */
export async function compare(comparison: Comparison, effort: Effort, targets: ReadyTargets): Promise<Finding> {
  const subject = await targets.of(comparison.subject);
  const { baseline } = comparison;
  return pace(subject, await targets.of(typeof baseline === 'function' ? baseline(subject.body) : baseline), effort);
}

interface Pair {
  readonly subject: Load;
  readonly baseline: Load;
}

async function pace(subject: Target, baseline: Target, effort: Effort): Promise<Finding> {
  const pairs: Pair[] = [];
  const disturbed: Pair[] = [];
  const extent = { seconds: effort.secondsPerLoad };
  while (pairs.length < effort.passes) {
    const pair = { subject: await load(subject, extent), baseline: await load(baseline, extent) };
    const again = (pair.subject.disturbed || pair.baseline.disturbed) && disturbed.length < effort.sparePasses;
    (again ? disturbed : pairs).push(pair);
  }
  return conclude(pairs, disturbed);
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
