import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DirectoryInUseError, lockDirectory } from './directory-lock.js';

describe('the lock of the data directory', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'causeway-test-'));
    file = join(directory, 'causeway.lock');
  });

  afterEach(() => rm(directory, { recursive: true }));

  async function leave(holder: object | string, secondsAgo = 0): Promise<void> {
    await writeFile(file, typeof holder === 'string' ? holder : JSON.stringify(holder));
    const time = new Date(Date.now() - secondsAgo * 1_000);
    await utimes(file, time, time);
  }

  async function takesOver(): Promise<void> {
    const release = await lockDirectory(directory);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await release();
    expect(await readdir(directory)).toEqual([]);
  }

  it('is a file for its owner only that is gone when the lock is given up', async () => {
    const release = await lockDirectory(directory);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('goes to one of many that ask at once', async () => {
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => lockDirectory(directory)));
    const taken = all.filter((one) => one.status === 'fulfilled');
    expect(taken).toHaveLength(1);
    await taken[0]!.value();
  });

  it('is refused while another process has it, by a message that names the directory and the file', async () => {
    await leave({ pid: process.ppid, host: hostname() }, 3_600);
    await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUseError);
    await expect(lockDirectory(directory)).rejects.toThrow(
      `${directory} is in use by another process (${file} says which)`,
    );
  });

  it('is taken over from a process that is gone', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await leave({ pid, host: hostname() });
    await takesOver();
  });

  it('is taken over from an earlier process that had the same id, as after a container restarts', async () => {
    await leave({ pid: process.pid, host: hostname() });
    await takesOver();
  });

  it('is taken over when another process has got the id since, as after a reboot', async () => {
    await leave({ pid: process.ppid, host: hostname(), began: '1' });
    await takesOver();
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('is taken over from a process that has ended and that its parent has not looked after', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30']);
    const pid = Number(await once(parent.stdout, 'data'));
    const stat = async () => (await readFile(`/proc/${pid}/stat`, 'latin1')).split(' ');
    while ((await stat())[2] !== 'Z');
    await leave({ pid, host: hostname(), began: (await stat())[21] });
    await takesOver();
    parent.kill('SIGKILL');
  });

  it('belongs to another machine for as long as that shows that it lives', async () => {
    await leave({ pid: 1, host: 'elsewhere' }, 10);
    await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUseError);
    await leave({ pid: 1, host: 'elsewhere' }, 31);
    await takesOver();
  });

  it('may be in the midst of being written: that counts as taken, but not for long', async () => {
    await leave('', 1);
    await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUseError);
    await leave('', 31);
    await takesOver();
  });
});
