#!/usr/bin/env node
import '../require-node.js';
import 'reflect-metadata';
import { readEnvironment } from '../config/config.js';
import { explain } from './explain.js';
import { helpFor, readCommand } from './manage.js';
import { withContext } from './open-context.js';

const args = process.argv.slice(2);

try {
  process.stdout.write(`${helpFor(args) ?? (await manage())}\n`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function manage(): Promise<string> {
  const run = readCommand(args);
  return withContext(readEnvironment(process.env), run);
}
