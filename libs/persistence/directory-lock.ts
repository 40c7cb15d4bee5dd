import { readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning, thisProcess } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';

/** Thrown when another live process has the data directory open. */
export class DirectoryInUseError extends Error {
  constructor(
    readonly directory: string,
    file: string,
  ) {
    super(
      `The data directory ${directory} is in use by another process (${file} says which). ` +
        'Stop that process, or give this one a directory of its own. If no such process runs, delete that file.',
    );
    this.name = 'DirectoryInUseError';
  }
}

interface Found {
  readonly text: string;
  /** Undefined when the text is not whole: it is being written this moment, or its writer died then. */
  readonly holder: ProcessIdentity | undefined;
  readonly ageMs: number;
}

/** A process on another machine, or in another container, cannot be asked: each holder shows that it lives. */
const BEAT_MS = 5_000;
const DEAD_AFTER_MS = 30_000;

/** The lock files of this process. */
const held = new Set<string>();

/**
 * Makes this process the only one that has the directory open, by a lock file in it. A lock whose process is gone is
 * taken over.
 * @returns what gives the lock up
 * @throws DirectoryInUseError
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(await realpath(directory), 'causeway.lock');
  if (held.has(file)) throw new DirectoryInUseError(directory, file);
  held.add(file);
  try {
    while (!(await write(file))) await removeStale(directory, file);
  } catch (error) {
    held.delete(file);
    throw error;
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), BEAT_MS).unref();
  return async () => {
    clearInterval(beat);
    held.delete(file);
    await rm(file, { force: true });
  };
}

/** False when there is a lock file already. */
async function write(file: string): Promise<boolean> {
  const holder = JSON.stringify(await thisProcess());
  return unless('EEXIST', writeFile(file, holder, { flag: 'wx', mode: 0o600 }));
}

/** Returns when there is no lock any more, or another one than before; throws when its holder lives. */
async function removeStale(directory: string, file: string): Promise<void> {
  const found = await read(file);
  if (!found) return;
  if (await isAlive(found)) throw new DirectoryInUseError(directory, file);
  const aside = `${file}.${process.pid}`;
  if (!(await unless('ENOENT', rename(file, aside)))) return;
  const same = (await readFile(aside, 'utf8')) === found.text; // or a faster process has put its own there meanwhile
  await (same ? rm(aside) : rename(aside, file));
}

/** A holder with our own id is an earlier process: what this one holds was looked up before. */
async function isAlive({ holder, ageMs }: Found): Promise<boolean> {
  if (holder?.host !== hostname()) return ageMs < DEAD_AFTER_MS;
  return holder.pid !== process.pid && isRunning(holder);
}

async function read(file: string): Promise<Found | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { text, holder: parse(text), ageMs: Date.now() - mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(text) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

/** True when the work is done, false when it failed with this system error. */
async function unless(code: string, work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw error;
  }
}
