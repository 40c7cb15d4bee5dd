import type { z } from 'zod';
import { VARIABLES, type VariableName } from './variables.js';

/** The environment, read. */
export type Environment = { readonly [N in VariableName]: z.output<(typeof VARIABLES)[N]['schema']> };

/** A variable is malformed. The message names every one that is. */
export class ConfigurationError extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}\nSee docs/configuration.md.`);
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads the environment once. An empty variable counts as not set, as compose files leave them.
 * @throws ConfigurationError
 */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const faults: string[] = [];
  const entries = Object.entries(VARIABLES).map(([name, { schema, fallback }]) => {
    const given = environment[name];
    const read = (schema as z.ZodType).safeParse(given === undefined || given === '' ? fallback : given);
    if (read.success) return [name, read.data] as const;
    faults.push(`${name} ${read.error.issues[0]?.message ?? 'is wrong'}`);
    return [name, undefined] as const;
  });
  if (faults.length > 0) throw new ConfigurationError(faults);
  return Object.freeze(Object.fromEntries(entries)) as Environment;
}
