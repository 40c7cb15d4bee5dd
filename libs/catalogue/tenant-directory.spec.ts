import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ACCESS_POLICY } from '#tenancy/access-policy.js';
import type { TenantRecord, TenantStore } from '#tenancy/tenant.store.js';
import type { Catalogue } from './catalogue.js';
import type { CatalogueCompiler } from './catalogue-compiler.js';
import { TenantDirectory } from './tenant-directory.js';

/** A store in which a test says what is there, and that counts how often it is asked. */
class Shelf {
  readonly records = new Map<string, TenantRecord>();
  reads = 0;
  broken = false;

  put(slug: string, revision = 1): void {
    this.records.set(slug, {
      id: `id-${slug}`,
      slug,
      title: slug,
      status: 'active',
      access: 'open',
      accessPolicy: DEFAULT_ACCESS_POLICY,
      instructions: null,
      revision,
      deletesAt: null,
      activations: [],
      sources: [],
    });
  }

  async findBySlug(slug: string): Promise<TenantRecord | undefined> {
    this.reads += 1;
    await Promise.resolve();
    if (this.broken) throw new Error('down');
    return this.records.get(slug);
  }
}

function directoryOf(shelf: Shelf, options: { capacity?: number; absentMs?: number } = {}) {
  const compiler = { compile: (tenant: TenantRecord) => ({ tenant }) as unknown as Catalogue };
  const { capacity = 100, absentMs = 60_000 } = options;
  return new TenantDirectory(shelf as unknown as TenantStore, compiler as unknown as CatalogueCompiler, {
    capacity,
    absentMs,
    onLoaded: () => undefined,
  });
}

describe('the tenants in memory', () => {
  it('are read once, also when many ask at once', async () => {
    const shelf = new Shelf();
    shelf.put('a');
    const directory = directoryOf(shelf);
    const found = await Promise.all(Array.from({ length: 20 }, () => directory.find('a')));
    expect(new Set(found).size).toBe(1);
    expect(directory.peek('a')).toBe(found[0]);
    expect(shelf.reads).toBe(1);
  });

  it("remember for a while that a slug is nobody's, and never ask for what cannot be one", async () => {
    const shelf = new Shelf();
    const directory = directoryOf(shelf);
    for (let time = 0; time < 5; time += 1) expect(await directory.find('nobody')).toBeUndefined();
    for (const slug of ['', 'A', 'a b', '__proto__', 'x'.repeat(64), '../a', '-a', 'a-'])
      expect(await directory.find(slug)).toBeUndefined();
    expect(shelf.reads).toBe(1);
  });

  it('find a tenant that was made after it was missed', async () => {
    const shelf = new Shelf();
    const directory = directoryOf(shelf, { absentMs: -1 });
    expect(await directory.find('late')).toBeUndefined();
    shelf.put('late');
    expect((await directory.find('late'))?.tenant.slug).toBe('late');
  });

  it('keep within their capacity, and let those go that were not asked for', async () => {
    const shelf = new Shelf();
    const directory = directoryOf(shelf, { capacity: 3 });
    for (const slug of ['a', 'b', 'c', 'd', 'e', 'f']) {
      shelf.put(slug);
      await directory.find(slug);
      directory.peek('f');
    }
    const kept = ['a', 'b', 'c', 'd', 'e', 'f'].filter((slug) => directory.peek(slug) !== undefined);
    expect(kept).toHaveLength(3);
    expect(kept).toContain('f');
  });

  it('give a new catalogue after a refresh, the same one when nothing changed', async () => {
    const shelf = new Shelf();
    shelf.put('a', 1);
    const directory = directoryOf(shelf);
    const first = await directory.find('a');
    expect(await directory.refresh('a')).toBe(first);
    shelf.put('a', 2);
    expect((await directory.refresh('a'))?.tenant.revision).toBe(2);
    expect(directory.peek('a')?.tenant.revision).toBe(2);
  });

  it('serve on while the store is down', async () => {
    const shelf = new Shelf();
    shelf.put('a');
    const directory = directoryOf(shelf);
    const first = await directory.find('a');
    shelf.broken = true;
    await expect(directory.refresh('a')).rejects.toThrow('down');
    await expect(directory.find('b')).rejects.toThrow('down');
    expect(directory.peek('a')).toBe(first);
  });
});
