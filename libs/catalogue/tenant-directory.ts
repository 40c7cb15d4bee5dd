import type { Catalogue } from './catalogue.js';
import type { CatalogueCompiler } from './catalogue-compiler.js';
import type { TenantRecord, TenantStore } from '#tenancy/tenant.store.js';

export interface DirectoryOptions {
  /** How many tenants are kept compiled; those not asked for lately go first. */
  readonly capacity: number;
  /** For how many milliseconds it is remembered that a slug belongs to nobody. */
  readonly absentMs: number;
  /** Told when a tenant is here at another revision than before, or for the first time in a while. */
  onLoaded(tenantId: string): void;
}

interface Slot {
  readonly catalogue: Catalogue | undefined;
  /** For a slug that is nobody's: until when that is believed, in milliseconds since the epoch. */
  readonly until: number;
  used: boolean;
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Tenants by slug, compiled, as far as they are in use: the cached look-up in front of the store. Whoever hears of a
 * change refreshes; nothing here looks for changes.
 */
export class TenantDirectory {
  private readonly slots = new Map<string, Slot>();
  /** Under which slug a tenant is here, by its id. */
  private readonly slugs = new Map<string, string>();
  private readonly loading = new Map<string, Promise<Catalogue | undefined>>();

  constructor(
    private readonly store: TenantStore,
    private readonly compiler: CatalogueCompiler,
    private readonly options: DirectoryOptions,
  ) {}

  /** The catalogue if it is here, without waiting. Undefined means "not known here", not "no such tenant". */
  peek(slug: string): Catalogue | undefined {
    const slot = this.slots.get(slug);
    if (slot?.catalogue === undefined) return undefined;
    slot.used = true;
    return slot.catalogue;
  }

  /** Whether what the slug stands for is remembered here, or being read. */
  holds(slug: string): boolean {
    return this.slots.has(slug) || this.loading.has(slug);
  }

  /** The catalogue, from the store if need be; undefined when no tenant has this slug. */
  async find(slug: string): Promise<Catalogue | undefined> {
    if (!SLUG.test(slug)) return undefined;
    const slot = this.slots.get(slug);
    if (slot && (slot.catalogue !== undefined || slot.until >= Date.now())) return this.peek(slug);
    return this.load(slug);
  }

  /** Under which slug and at which revision the tenant is here, if it is. */
  known(tenantId: string): Pick<TenantRecord, 'slug' | 'revision'> | undefined {
    return this.slots.get(this.slugs.get(tenantId) ?? '')?.catalogue?.tenant;
  }

  /** Reads the tenant anew, as after a change. A catalogue that cannot be compiled never replaces one that works. */
  async refresh(slug: string): Promise<Catalogue | undefined> {
    await this.loading.get(slug)?.catch(() => undefined); // a read begun before the change may miss it
    return this.load(slug);
  }

  private load(slug: string): Promise<Catalogue | undefined> {
    const running = this.loading.get(slug);
    if (running) return running;
    const load = this.read(slug).finally(() => this.loading.delete(slug));
    this.loading.set(slug, load);
    return load;
  }

  private async read(slug: string): Promise<Catalogue | undefined> {
    const record = await this.store.findBySlug(slug);
    const known = this.slots.get(slug)?.catalogue;
    const current = record && known?.tenant.id === record.id && known.tenant.revision === record.revision;
    const catalogue = current ? known : record && (await this.compiler.compile(record, known));
    if (catalogue && !current) this.options.onLoaded(catalogue.tenant.id);
    this.keep(slug, { catalogue, until: Date.now() + this.options.absentMs, used: catalogue !== undefined });
    return catalogue;
  }

  private keep(slug: string, slot: Slot): void {
    this.forget(slug);
    this.slots.set(slug, slot);
    if (slot.catalogue) this.slugs.set(slot.catalogue.tenant.id, slug);
    if (this.slots.size > this.options.capacity) this.evictOne();
  }

  /** Second chance: whoever was used since the last round stays for another. */
  private evictOne(): void {
    for (const [slug, slot] of this.slots) {
      if (!slot.used) {
        this.forget(slug);
        return;
      }
      this.slots.delete(slug);
      slot.used = false;
      this.slots.set(slug, slot);
    }
  }

  private forget(slug: string): void {
    const id = this.slots.get(slug)?.catalogue?.tenant.id;
    if (id !== undefined && this.slugs.get(id) === slug) this.slugs.delete(id);
    this.slots.delete(slug);
  }
}
