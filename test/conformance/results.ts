import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One check of a scenario, as the suite writes it. */
export interface Check {
  readonly id: string;
  readonly name: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** A scenario and what it checked; no checks when it did not come to its end. */
export interface Scenario {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** `server-<scenario>-<time>`, or with `authorization-` in front, one for each scenario that was begun. */
const DIRECTORY = /^(?:authorization-)?server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/**
 * Reads what the suite has written.
 * @param expected scenarios that must be there, in this order; others follow
 */
export function readResults(results: string, expected: readonly string[]): readonly Scenario[] {
  const begun = new Map(
    (existsSync(results) ? readdirSync(results) : []).flatMap((directory) => {
      const [, name] = DIRECTORY.exec(directory) ?? [];
      return name === undefined ? [] : [[name, join(results, directory, 'checks.json')] as const];
    }),
  );
  return [...new Set([...expected, ...begun.keys()])].map((name) => ({ name, checks: checksIn(begun.get(name)) }));
}

function checksIn(file: string | undefined): readonly Check[] {
  return file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Check[]) : [];
}
