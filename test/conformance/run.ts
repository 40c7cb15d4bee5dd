/**
 * `npm run conformance`: serves the fixture, runs the official suite on it and on its authorization server, and says
 * what it came to. Arguments go to the
 * suite: `npm run conformance -- --scenario caching`. What it found in detail is left in `results`, beside this file.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AUTHORIZATION_SCENARIOS, runAuthorizationSuite } from './authorization-suite.js';
import { report } from './report.js';
import { readResults } from './results.js';
import { startServer } from './server-process.js';
import { requiredScenarios, runSuite, type Selection, selectionOf } from './suite.js';

const RESULTS = fileURLToPath(new URL('results', import.meta.url));

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort(new Error(`Got ${signal}.`)));

process.exitCode = (await conform(process.argv.slice(2), interruption.signal)) ? 0 : 1;

/** Whatever happens on the way, the last line says how many scenarios passed and how many did not. */
async function conform(args: readonly string[], signal: AbortSignal): Promise<boolean> {
  const selection = selectionOf(args);
  const required = selection.requirements === undefined ? [] : requiredScenarios(selection.requirements);
  const expected = selection.isWhole ? [...required, ...AUTHORIZATION_SCENARIOS] : required;
  rmSync(RESULTS, { recursive: true, force: true });
  const ended = await serveAndRun(selection, signal).then(
    () => true,
    (error: unknown) => {
      console.error(error);
      return false;
    },
  );
  const { text, clean } = report(readResults(RESULTS, expected));
  console.log(`\n${text}`);
  return ended && clean;
}

async function serveAndRun(selection: Selection, signal: AbortSignal): Promise<void> {
  await using server = await startServer(signal);
  await runSuite(selection, { url: server.url, results: RESULTS }, signal);
  if (selection.isWhole) await runAuthorizationSuite(server.authorization, RESULTS, signal);
}
