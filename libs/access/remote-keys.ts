import type { KeyObject } from 'node:crypto';
import { discoverKeySet, fetchJson, type FetchDocument } from './issuer-discovery.js';
import { type PublicKey, readKeySet } from './json-web-keys.js';
import { KeysUnavailableError, type KeySource } from './key-source.js';

/** After this the keys are fetched anew while the old ones go on, in milliseconds. */
const FRESH_MS = 600_000;
/** How long keys are good when the issuer is out of reach. */
const GOOD_MS = 86_400_000;
/** How soon keys are fetched again for one that is not among them. */
const UNKNOWN_MS = 30_000;
/** How long a failure is remembered. */
const FAILED_MS = 10_000;

type Keys = ReadonlyMap<string, PublicKey>;

const NO_KEYS: Keys = new Map();

interface Fetched {
  readonly keys: Keys;
  readonly at: number;
}

/** The keys of one external issuer, found by discovery and kept. */
export class RemoteKeys implements KeySource {
  private fetched: Fetched | undefined;
  private fetching: Promise<Fetched> | undefined;
  private triedAt = -Infinity;
  private failure: unknown;

  /** @param onFailure told when keys that are still good could not be fetched anew */
  constructor(
    private readonly issuer: string,
    private readonly fetchDocument: FetchDocument,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  async find(kid: string, alg: string): Promise<KeyObject | undefined> {
    const known = (await this.goodKeys()).get(kid) ?? (await this.newerKeys()).get(kid);
    return known && (known.alg ?? alg) === alg ? known.key : undefined;
  }

  /** The keys, however old as long as they are good; old ones are fetched anew meanwhile. */
  private async goodKeys(): Promise<Keys> {
    const age = Date.now() - (this.fetched?.at ?? -Infinity);
    if (!this.fetched || age > GOOD_MS) return (await this.fetch()).keys;
    if (age > FRESH_MS) this.fetch().catch(this.onFailure);
    return this.fetched.keys;
  }

  /** The keys after another look, if it is time for one: the issuer may have begun to use a new key. */
  private async newerKeys(): Promise<Keys> {
    const isTime = this.fetching !== undefined || Date.now() - this.triedAt >= UNKNOWN_MS;
    if (isTime) await this.fetch().catch(this.onFailure);
    return this.fetched?.keys ?? NO_KEYS;
  }

  private async fetch(): Promise<Fetched> {
    if (this.fetching) return this.fetching;
    if (this.failure !== undefined && Date.now() - this.triedAt < FAILED_MS) throw this.unavailable();
    this.triedAt = Date.now();
    this.fetching = this.load().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async load(): Promise<Fetched> {
    try {
      const url = await discoverKeySet(this.issuer, this.fetchDocument);
      const keys = readKeySet(await fetchJson(url, this.fetchDocument));
      this.fetched = { keys, at: Date.now() };
      this.failure = undefined;
      return this.fetched;
    } catch (error) {
      this.failure = error;
      throw this.unavailable();
    }
  }

  private unavailable(): KeysUnavailableError {
    return new KeysUnavailableError(this.issuer, { cause: this.failure });
  }
}
