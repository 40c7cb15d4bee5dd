import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import type { Finding, Measure } from './measures/measure.js';

export interface Outcome {
  readonly measure: Measure;
  readonly finding: Finding;
}

const DIGITS: Readonly<Record<Measure['unit'], number>> = { times: 3, KB: 1, ms: 0 };

/** A table, then one line a measure, of which `ratio NAME VALUE` are the last. */
export function printReport(outcomes: readonly Outcome[]): void {
  const rows = outcomes.map(({ measure, finding }) => [
    measure.title,
    `${format(measure, finding.value)} ${measure.unit}`,
    `${format(measure, Math.min(...finding.passes))} to ${format(measure, Math.max(...finding.passes))}`,
    verdict(measure, finding.value),
    finding.summary,
  ]);
  console.log(`\n${table([['measure', 'median', 'passes', 'goal', 'details'], ...rows])}\n`);
  const lines = (ratio: boolean) =>
    outcomes
      .filter(({ measure }) => measure.ratio === ratio)
      .map(({ measure, finding }) => `${ratio ? 'ratio ' : ''}${measure.name} ${format(measure, finding.value)}`);
  console.log([...lines(false), ...lines(true)].join('\n'));
}

/** @returns the file's path. */
export async function writeResults(file: string, quick: boolean, outcomes: readonly Outcome[]): Promise<string> {
  const results = {
    time: new Date().toISOString(),
    quick,
    machine: { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length },
    results: outcomes.map(({ measure: { name, title, unit, goal }, finding: { value, passes, details } }) => ({
      name,
      title,
      unit,
      goal,
      median: value,
      passes,
      details,
    })),
  };
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
  return file;
}

export function verdict({ goal, unit }: Measure, value: number): string {
  if (goal === undefined) return '';
  const [reached, text] =
    'atLeast' in goal
      ? [value >= goal.atLeast, `at least ${goal.atLeast}`]
      : [value <= goal.atMost, `at most ${goal.atMost} ${unit}`];
  return `${text}: ${reached ? 'reached' : 'missed'}`;
}

function format({ unit }: Measure, value: number): string {
  return value.toFixed(DIGITS[unit]);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
