import path from 'node:path';
import { readCommandLine, usageText } from './command-line.js';
import { measures } from './measures/all.js';
import type { Effort } from './measures/measure.js';
import { ReadyTargets } from './ready-targets.js';
import { type Outcome, printReport, writeResults } from './report.js';
import { endWithRun } from './server-process.js';

const FULL: Effort = { passes: 7, sparePasses: 7, secondsPerLoad: 4, warmUpSeconds: 15 };
const QUICK: Effort = { passes: 3, sparePasses: 1, secondsPerLoad: 0.9, warmUpSeconds: 3 };
/** A full run that takes longer is stuck. A quick one is promised to end within three minutes, its build included. */
const LIMIT_MS = { full: 45 * 60_000, quick: 145_000 };

async function run(args: readonly string[]): Promise<void> {
  const { help, quick, only, json } = readCommandLine(args);
  const names = measures.map((measure) => measure.name);
  if (help) {
    console.log(usageText(names));
    return;
  }
  const chosen = only === undefined ? measures : measures.filter((measure) => measure.name === only);
  if (chosen.length === 0) throw new Error(`There is no measure "${String(only)}".\n\n${usageText(names)}`);

  endWithRun();
  const effort = quick ? QUICK : FULL;
  const targets = new ReadyTargets(effort.warmUpSeconds);
  const outcomes: Outcome[] = [];
  const report = async () => {
    if (outcomes.length < chosen.length) process.exitCode = 1;
    if (outcomes.length === 0) return;
    const file = json ?? path.join('bench', 'results', `${new Date().toISOString().replaceAll(':', '-')}.json`);
    console.log(`\nResults are in ${await writeResults(file, quick, outcomes)}`);
    printReport(outcomes);
  };
  giveUpAfter(quick ? LIMIT_MS.quick : LIMIT_MS.full, report);
  for (const measure of chosen) {
    console.log(`${measure.name}: ${measure.title}`);
    try {
      outcomes.push({ measure, finding: await measure.run(effort, targets) });
    } catch (error) {
      console.error(`${measure.name} failed: ${String(error)}`);
    }
  }
  await targets.stop();
  await report();
}

/** Reports what there is by then. */
function giveUpAfter(milliseconds: number, report: () => Promise<void>): void {
  setTimeout(() => {
    console.error(`The benchmark is given up: it took more than ${milliseconds / 1000} seconds.`);
    void report().finally(() => process.exit(1));
  }, milliseconds).unref();
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
