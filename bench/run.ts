import path from 'node:path';
import { readCommandLine, usageText } from './command-line.js';
import { measures } from './measures/all.js';
import type { Effort, Measure } from './measures/measure.js';
import { type Outcome, printReport, writeResults } from './report.js';
import { endWithRun } from './server-process.js';

const FULL: Effort = { passes: 7, sparePasses: 7, secondsPerLoad: 4, warmUpSeconds: 4 };
const QUICK: Effort = { passes: 3, sparePasses: 1, secondsPerLoad: 1.5, warmUpSeconds: 2 };
/** A run that takes longer is stuck; the quick one is promised to end within three minutes, its build included. */
const LIMIT_MS = { full: 30 * 60_000, quick: 150_000 };

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
  limitTime(quick ? LIMIT_MS.quick : LIMIT_MS.full);
  const outcomes = await runAll(chosen, quick ? QUICK : FULL);
  if (outcomes.length < chosen.length) process.exitCode = 1;
  if (outcomes.length === 0) return;
  const file = json ?? path.join('bench', 'results', `${new Date().toISOString().replaceAll(':', '-')}.json`);
  console.log(`\nResults are in ${await writeResults(file, quick, outcomes)}`);
  printReport(outcomes);
}

/** One after the other. A measure that fails is said on stderr and left out. */
async function runAll(chosen: readonly Measure[], effort: Effort): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const measure of chosen) {
    console.log(`${measure.name}: ${measure.title}`);
    try {
      outcomes.push({ measure, finding: await measure.run(effort) });
    } catch (error) {
      console.error(`${measure.name} failed: ${String(error)}`);
    }
  }
  return outcomes;
}

function limitTime(milliseconds: number): void {
  setTimeout(() => {
    console.error(`The benchmark is given up: it took more than ${milliseconds / 1000} seconds.`);
    process.exit(1);
  }, milliseconds).unref();
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
