import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '#protocol/key-ring.js';
import { MissingSecretError, SecretVault } from './secret-vault.js';

const KEYS = new KeyRing([Buffer.alloc(32, 1)]);

/** What is kept, by tenant and name, and how often it was asked for. */
class Shelf {
  readonly rows = new Map<string, string>();
  reads = 0;

  async find(tenantId: string, name: string): Promise<{ name: string; sealed: string } | undefined> {
    this.reads += 1;
    const sealed = this.rows.get(`${tenantId} ${name}`);
    return Promise.resolve(sealed === undefined ? undefined : { name, sealed });
  }
}

function shelfWith(vault: (shelf: Shelf) => SecretVault): { shelf: Shelf; vault: SecretVault } {
  const shelf = new Shelf();
  const made = vault(shelf);
  shelf.rows.set('a key', made.seal('a', 'key', 'value of a'));
  shelf.rows.set('b key', made.seal('b', 'key', 'value of b'));
  return { shelf, vault: made };
}

describe("a tenant's secrets", () => {
  it('are read once until something of the tenant changes', async () => {
    const { shelf, vault } = shelfWith((rows) => new SecretVault(rows, KEYS));
    expect(await Promise.all([vault.read('a', 'key'), vault.read('a', 'key')])).toEqual(['value of a', 'value of a']);
    expect(shelf.reads).toBe(1);
    shelf.rows.set('a key', vault.seal('a', 'key', 'new'));
    vault.forget('b');
    expect(await vault.read('a', 'key')).toBe('value of a');
    vault.forget('a');
    expect(await vault.read('a', 'key')).toBe('new');
  });

  it('open for their own tenant and name alone', async () => {
    const { shelf, vault } = shelfWith((rows) => new SecretVault(rows, KEYS));
    shelf.rows.set('b key', shelf.rows.get('a key')!);
    shelf.rows.set('a other', shelf.rows.get('a key')!);
    await expect(vault.read('b', 'key')).rejects.toThrow(MissingSecretError);
    await expect(vault.read('a', 'other')).rejects.toThrow(MissingSecretError);
  });

  it('are looked for again after they were not there', async () => {
    const { shelf, vault } = shelfWith((rows) => new SecretVault(rows, KEYS));
    await expect(vault.read('a', 'late')).rejects.toThrow('The secret "late" is not there.');
    shelf.rows.set('a late', vault.seal('a', 'late', 'here'));
    expect(await vault.read('a', 'late')).toBe('here');
  });

  it('do not open with another key', async () => {
    const { shelf } = shelfWith((rows) => new SecretVault(rows, KEYS));
    const other = new SecretVault(shelf, new KeyRing([Buffer.alloc(32, 2)]));
    await expect(other.read('a', 'key')).rejects.toThrow(MissingSecretError);
  });
});
