import { SigningKeyStore, type SigningKeyRecord } from '#authorization/stores/signing-key.store.js';

/** The signing keys to look at: making, sealing anew and deleting are the server's business. */
export class ReadOnlyKeys extends SigningKeyStore {
  constructor(private readonly store: SigningKeyStore) {
    super();
  }

  override all(): Promise<readonly SigningKeyRecord[]> {
    return this.store.all();
  }

  override addUnlessNewer(): Promise<boolean> {
    return Promise.resolve(false);
  }

  override reseal(): Promise<void> {
    return Promise.resolve();
  }

  override remove(): Promise<void> {
    return Promise.resolve();
  }
}
