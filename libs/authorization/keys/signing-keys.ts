import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { EmbeddedKeys } from '#access/key-source.js';
import type { PurposeKey } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';
import type { SigningAlgorithm, SigningKeyRecord, SigningKeyStore } from '../stores/signing-key.store.js';
import { KEY_LIFE_MS, planKeys } from './key-schedule.js';

/** For how long the keys are believed before the store is asked again. */
const FRESH_MS = 60_000;
/** How soon the store is asked again for a key that is not known. */
const UNKNOWN_MS = 5_000;

/** The private keys to publish, the signing ones first. `version` changes with them. */
export interface KeySet {
  readonly version: string;
  readonly jwks: { readonly keys: readonly JWK[] };
  readonly publicKeys: ReadonlyMap<string, { readonly algorithm: string; readonly key: KeyObject }>;
}

/** A key was sealed with a `SECRET_KEY` that is not there any more. */
export class SealedKeyError extends Error {
  constructor(id: string) {
    super(
      `The signing key "${id}" was sealed with another SECRET_KEY. Put that one behind the current in SECRET_KEY, ` +
        'or delete the row from signing_keys: then everybody has to sign in again.',
    );
    this.name = 'SealedKeyError';
  }
}

/** The keys that sign tokens: in the database, sealed, rotated, the same on all nodes. */
export class SigningKeys extends EmbeddedKeys {
  private current: { readonly set: KeySet; readonly readAt: number } | undefined;
  private reading: Promise<KeySet> | undefined;

  constructor(
    private readonly store: SigningKeyStore,
    private readonly keys: readonly [PurposeKey, ...PurposeKey[]],
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  /** The keys, not older than a minute. @throws SealedKeyError */
  async set(): Promise<KeySet> {
    return this.read(FRESH_MS);
  }

  /** The public key that a token names; undefined when there is none for this algorithm. */
  async find(kid: string, algorithm: string): Promise<KeyObject | undefined> {
    const { publicKeys } = await this.set();
    const known = publicKeys.get(kid) ?? (await this.read(UNKNOWN_MS)).publicKeys.get(kid);
    return known?.algorithm === algorithm ? known.key : undefined;
  }

  private async read(maxAgeMs: number): Promise<KeySet> {
    if (this.current && this.now() - this.current.readAt < maxAgeMs) return this.current.set;
    this.reading ??= this.load().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async load(): Promise<KeySet> {
    const records = await this.maintain();
    const version = records.map((key) => key.id).join(' ');
    const set = this.current?.set.version === version ? this.current.set : await this.open(version, records);
    this.current = { set, readAt: this.now() };
    return set;
  }

  /** Makes keys that are due and deletes spent ones; every node may try. */
  private async maintain(): Promise<readonly SigningKeyRecord[]> {
    const now = this.now();
    const plan = planKeys(await this.store.all(), now);
    for (const { id } of plan.spent) await this.store.remove(id);
    for (const algorithm of plan.missing) {
      await this.store.addUnlessNewer(await this.generate(algorithm), new Date(now - KEY_LIFE_MS));
    }
    return plan.missing.length === 0 ? plan.published : planKeys(await this.store.all(), now).published;
  }

  private async generate(algorithm: SigningAlgorithm): Promise<Omit<SigningKeyRecord, 'createdAt'>> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const jwk = await exportJWK(privateKey);
    const id = await calculateJwkThumbprint(jwk);
    return { id, algorithm, sealed: sealText(this.keys, JSON.stringify(jwk), bindingOf(id, algorithm)) };
  }

  private async open(version: string, records: readonly SigningKeyRecord[]): Promise<KeySet> {
    const keys = await Promise.all(records.map((record) => this.openOne(record)));
    const publicKeys = new Map(
      keys.map((jwk) => [
        jwk.kid ?? '',
        { algorithm: jwk.alg ?? '', key: createPublicKey({ key: jwk, format: 'jwk' }) },
      ]),
    );
    return { version, jwks: { keys }, publicKeys };
  }

  /** What is sealed with an older secret key is sealed with the first again, so that the older can go one day. */
  private async openOne({ id, algorithm, sealed }: SigningKeyRecord): Promise<JWK> {
    const text = openText(this.keys, sealed, bindingOf(id, algorithm));
    if (text === undefined) throw new SealedKeyError(id);
    if (!sealed.startsWith(`${this.keys[0].id}.`)) {
      await this.store.reseal(id, sealText(this.keys, text, bindingOf(id, algorithm)));
    }
    return { ...(JSON.parse(text) as JWK), kid: id, alg: algorithm, use: 'sig' };
  }
}

function bindingOf(id: string, algorithm: SigningAlgorithm): string {
  return `signing key ${algorithm} ${id}`;
}
