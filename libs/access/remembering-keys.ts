import type { KeyObject } from 'node:crypto';
import { keepLatest } from '#protocol/keep-latest.js';
import { KeysUnavailableError, type KeySource } from './key-source.js';

/** For how long it is remembered that there is no such key, in milliseconds. */
const UNKNOWN_MS = 5_000;
const MAX_UNKNOWN = 1_000;

/** Keeps ids of keys that do not exist from costing anything each time that they come. */
export class RememberingKeys implements KeySource {
  private readonly unknown = new Map<string, number>();

  constructor(private readonly keys: KeySource) {}

  async find(kid: string, alg: string): Promise<KeyObject | undefined> {
    const name = `${alg} ${kid}`;
    if ((this.unknown.get(name) ?? 0) > Date.now()) return undefined;
    const key = await this.look(kid, alg);
    if (key) this.unknown.delete(name);
    else keepLatest(this.unknown, name, Date.now() + UNKNOWN_MS, MAX_UNKNOWN);
    return key;
  }

  private async look(kid: string, alg: string): Promise<KeyObject | undefined> {
    try {
      return await this.keys.find(kid, alg);
    } catch (error) {
      throw new KeysUnavailableError('this platform', { cause: error });
    }
  }
}
