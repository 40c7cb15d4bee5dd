import { readFileSync } from 'node:fs';
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
 * Reads the environment once, and the file that it names for the database's password, which becomes part of
 * `DATABASE_URL`. An empty variable counts as not set, as compose files leave them.
 * @throws ConfigurationError
 */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const faults: string[] = [];
  const entries = Object.entries(VARIABLES).map(([name, { schema, fallback }]) => {
    const given = environment[name];
    const parsed = (schema as z.ZodType).safeParse(given === undefined || given === '' ? fallback : given);
    if (parsed.success) return [name, parsed.data] as const;
    faults.push(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}`);
    return [name, undefined] as const;
  });
  const read = Object.fromEntries(entries) as Environment;
  if (faults.length === 0 && read.TENANT_ROUTING !== 'path' && !hasName(read.PUBLIC_URL)) {
    faults.push('PUBLIC_URL must have a name, such as https://mcp.example.com, for TENANT_ROUTING=host or both');
  }
  if (faults.length === 0) faults.push(...redisFaults(read), ...addPassword(read));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return Object.freeze(read);
}

/** What does not fit together in the variables of Redis. */
function redisFaults({ REDIS_URL: nodes, REDIS_MODE: mode }: Environment): readonly string[] {
  if (!nodes) return mode === 'single' ? [] : [`REDIS_MODE=${mode} needs REDIS_URL: name the nodes to ask`];
  if (mode === 'single' && nodes.length > 1)
    return ['REDIS_URL must name one server, or set REDIS_MODE=sentinel or REDIS_MODE=cluster'];
  if (mode === 'cluster' && nodes.some(({ pathname }) => !/^\/?0?$/.test(pathname)))
    return ['REDIS_URL must not choose a database with REDIS_MODE=cluster: there is none but 0'];
  return [];
}

/** Puts the password in its place; returns what is wrong. */
function addPassword({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: file }: Environment): readonly string[] {
  if (file === undefined) return [];
  if (!url || url.password !== '') return ['DATABASE_PASSWORD_FILE must go with a DATABASE_URL that has no password'];
  try {
    url.password = encodeURIComponent(readFileSync(file, 'utf8').trim());
  } catch {
    return ['DATABASE_PASSWORD_FILE must be a file that can be read'];
  }
  return url.password === '' ? ['DATABASE_PASSWORD_FILE must be a file with a password in it'] : [];
}

/** Slugs go in front of a name; there is nothing in front of an IP address. */
function hasName(url: URL | undefined): boolean {
  return url !== undefined && !url.hostname.startsWith('[') && !/^\d+(?:\.\d+){3}$/.test(url.hostname);
}
