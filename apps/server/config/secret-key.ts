import { randomBytes, randomUUID } from 'node:crypto';
import { access, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'secret.key';

/** The deployment's secret key from its data directory; made there, readable by its owner alone, when there is none. */
export async function secretKeyOf(directory: string): Promise<Buffer> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, FILE);
  if (!(await exists(file))) await make(file, directory);
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (key.length >= 32) return key;
  throw new Error(
    `The file ${file} does not hold a key of 32 bytes in base64. Restore it, or delete it to have a new one made.`,
  );
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** The file appears whole or not at all, and one that another process has just made stays. */
async function make(file: string, directory: string): Promise<void> {
  const draft = join(directory, `${FILE}.${randomUUID()}`);
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}
