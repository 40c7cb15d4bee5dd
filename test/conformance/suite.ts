import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endProcess } from './child-process.js';

const PACKAGE = new URL(import.meta.resolve('@modelcontextprotocol/conformance/package.json'));
const { bin } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { bin: { conformance: string } };
/** The suite's command. */
export const SUITE_PROGRAM = fileURLToPath(new URL(bin.conformance, PACKAGE));
const REVISION = '2026-07-28';
const RUN_LIMIT_MS = 15 * 60_000;

/** What is run: the arguments for the suite, and the requirement set that they name, if they do. */
export interface Selection {
  readonly args: readonly string[];
  readonly requirements: string | undefined;
  /** True when nothing was chosen: everything is run then, the authorization server's scenarios too. */
  readonly isWhole: boolean;
}

/**
 * The caller's arguments, with our revision where they leave it open. The suite takes a requirement set or a choice of
 * scenarios, not both.
 */
export function selectionOf(args: readonly string[]): Selection {
  const option = { type: 'string' } as const;
  const options = { scenario: option, suite: option, requirements: option, 'spec-version': option };
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const chosen = values.scenario ?? values.suite;
  if (values.requirements === undefined && values['spec-version'] === undefined) {
    const given = chosen === undefined ? '--requirements' : '--spec-version';
    return {
      args: [...args, given, REVISION],
      requirements: chosen === undefined ? REVISION : undefined,
      isWhole: args.length === 0,
    };
  }
  return {
    args,
    requirements: values.requirements === undefined ? undefined : String(values.requirements),
    isWhole: false,
  };
}

/**
 * The scenarios that a requirement set makes a server run, those outside its own score included; none for a set that the
 * suite does not have, which it will say itself.
 */
export function requiredScenarios(revision: string): readonly string[] {
  const file = new URL(`requirements/${revision}.yaml`, PACKAGE);
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const [, scored = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(text) ?? [];
  const names = [...scored.matchAll(/^ {2}- (\S+)$/gm), ...text.matchAll(/- scenario: (\S+)\n +leg: server$/gm)];
  if (names.length === 0) throw new Error(`The requirement set ${revision} cannot be read.`);
  return names.map(([, name = '']) => name);
}

/**
 * Runs the suite's own command, with its output on ours. Its verdict is left aside: the results it writes say more.
 * @throws Error when the signal fires or the time is up before it ends
 */
export async function runSuite(
  { args }: Selection,
  target: { readonly url: string; readonly results: string },
  signal: AbortSignal,
): Promise<void> {
  const command = [SUITE_PROGRAM, 'server', ...args, '--url', target.url, '--output-dir', target.results];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    await once(child, 'exit', { signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_LIMIT_MS)]) });
  } finally {
    await endProcess(child);
  }
}
