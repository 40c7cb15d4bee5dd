import { EXPLAINED_WARNINGS, NOT_COUNTED } from './exceptions.js';
import type { Check, Scenario } from './results.js';

/** What a run came to. */
export interface Report {
  /** Ends with the line `N passed, N failed`. */
  readonly text: string;
  /** Every counted scenario passed, and no warning is left unexplained. */
  readonly clean: boolean;
}

/** Judges the scenarios, and tells what is to be known about them. */
export function report(scenarios: readonly Scenario[]): Report {
  const counted = scenarios.filter(({ name }) => reasonNotToCount(name) === undefined);
  const failed = counted.filter((scenario) => !passes(scenario));
  const warned = counted.flatMap((scenario) => unexplained(scenario));
  const lines = [
    ...counted.filter(isWorthTelling).map(tell),
    ...notCounted(scenarios),
    `${counted.length - failed.length} passed, ${failed.length} failed`,
  ];
  return { text: lines.join('\n'), clean: counted.length > 0 && failed.length === 0 && warned.length === 0 };
}

/** A scenario in which nothing succeeded has shown nothing, whatever the suite says. */
function passes({ checks }: Scenario): boolean {
  return of(checks, 'FAILURE').length === 0 && of(checks, 'SUCCESS').length > 0;
}

function isWorthTelling(scenario: Scenario): boolean {
  return !passes(scenario) || scenario.checks.some(({ status }) => status === 'WARNING' || status === 'SKIPPED');
}

function unexplained({ name, checks }: Scenario): readonly Check[] {
  return of(checks, 'WARNING').filter(({ id }) => explanation(name, id) === undefined);
}

function explanation(scenario: string, check: string): string | undefined {
  return EXPLAINED_WARNINGS.find((warning) => warning.scenario === scenario && warning.check === check)?.reason;
}

function reasonNotToCount(scenario: string): string | undefined {
  return NOT_COUNTED.find(({ scenarios }) => scenarios.test(scenario))?.reason;
}

function of(checks: readonly Check[], status: Check['status']): readonly Check[] {
  return checks.filter((check) => check.status === status);
}

/** One row for the scenario, and one under it for each check that is not well. */
function tell(scenario: Scenario): string {
  const { name, checks } = scenario;
  const counts = (['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED'] as const).map((status) => of(checks, status).length);
  const [good = 0, bad = 0, warned = 0, skipped = 0] = counts;
  const verdict = passes(scenario) ? 'passed' : 'FAILED';
  const row = `${verdict}  ${name.padEnd(46)} ${good} good, ${bad} bad, ${warned} warned, ${skipped} skipped`;
  if (checks.length === 0)
    return `${row}\n        No results: it did not come to its end, or is not for this revision.`;
  const told = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
  return [row, ...told.map((check) => tellCheck(name, check))].join('\n');
}

function tellCheck(scenario: string, { id, status, errorMessage }: Check): string {
  const line = `        ${status} ${id}: ${errorMessage ?? 'no message'}`;
  if (status !== 'WARNING') return line;
  const reason = explanation(scenario, id);
  return reason === undefined
    ? `${line} (fails the run: not explained in exceptions.ts)`
    : `${line} (let pass: ${reason})`;
}

function notCounted(scenarios: readonly Scenario[]): readonly string[] {
  return NOT_COUNTED.flatMap(({ scenarios: pattern, reason }) => {
    const names = scenarios.filter(({ name }) => pattern.test(name)).map(({ name }) => name);
    return names.length === 0 ? [] : [`Not counted, since ${reason}: ${names.join(', ')}`];
  });
}
