import { keepLatest } from '#protocol/keep-latest.js';
import type { KeyRing } from '#protocol/key-ring.js';
import { openText, sealText } from '#protocol/sealed-text.js';
import type { SecretStore } from './secret.store.js';

/** How many opened secrets are kept; the least recently opened goes first. */
const MAX_OPEN = 10_000;

/** A source names a secret that is not there, or does not open with the platform's keys. */
export class MissingSecretError extends Error {
  constructor(name: string) {
    super(`The secret "${name}" is not there.`);
    this.name = 'MissingSecretError';
  }
}

/** Seals the secrets of tenants, and opens them for the calls that need them. */
export class SecretVault {
  private readonly keys;
  /** By tenant, so that a change of one tenant forgets its own. */
  private readonly open = new Map<string, Map<string, Promise<string>>>();

  constructor(
    private readonly store: Pick<SecretStore, 'find'>,
    keys: KeyRing,
  ) {
    this.keys = keys.derive('tenant secret');
  }

  /** What is stored; it opens for this tenant and name alone. */
  seal(tenantId: string, name: string, value: string): string {
    return sealText(this.keys, value, bindingOf(tenantId, name));
  }

  /** @throws MissingSecretError */
  read(tenantId: string, name: string): Promise<string> {
    const known = this.open.get(tenantId)?.get(name);
    if (known) return known;
    const secret = this.fetch(tenantId, name);
    const secrets = this.open.get(tenantId) ?? new Map<string, Promise<string>>();
    secrets.set(name, secret);
    keepLatest(this.open, tenantId, secrets, MAX_OPEN);
    secret.catch(() => secrets.delete(name));
    return secret;
  }

  /** Takes in that something of the tenant has changed. */
  forget(tenantId: string): void {
    this.open.delete(tenantId);
  }

  private async fetch(tenantId: string, name: string): Promise<string> {
    const row = await this.store.find(tenantId, name);
    const value = row && openText(this.keys, row.sealed, bindingOf(tenantId, name));
    if (value === undefined) throw new MissingSecretError(name);
    return value;
  }
}

function bindingOf(tenantId: string, name: string): string {
  return JSON.stringify([tenantId, name]);
}
