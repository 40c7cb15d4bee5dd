import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Whether certificates can be made for tests. Where they cannot it says so, and under CI (the `CI` variable) fails
 * instead: there the tests with TLS must run.
 */
export async function hasOpenssl(): Promise<boolean> {
  try {
    await promisify(execFile)('openssl', ['version']);
    return true;
  } catch (cause) {
    const message = 'NO OPENSSL FOR TESTS: the program makes their certificates';
    if (process.env['CI']) throw new Error(message, { cause });
    console.warn(`${message}. Tests with TLS are left out.`);
    return false;
  }
}
