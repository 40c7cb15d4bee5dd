import { TooBusyError } from '#authorization/accounts/passwords.js';
import { Problem } from './problem.js';

/** What comes of work with passwords. @throws Problem `unavailable` when too many are worked on already */
export async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TooBusyError)) throw error;
    throw new Problem('unavailable', 'Too many people sign in at once. Try again.', {
      headers: { 'retry-after': '2' },
    });
  }
}
