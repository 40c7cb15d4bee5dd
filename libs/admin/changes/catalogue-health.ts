import { CatalogueError } from '#catalogue/catalogue-compiler.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { CatalogueCheck, CatalogueReport } from './catalogue-check.js';

/** What this node serves of a tenant, and what it leaves out. */
export class CatalogueHealth {
  constructor(
    private readonly directory: Pick<TenantDirectory, 'find' | 'refresh'>,
    private readonly check: Pick<CatalogueCheck, 'look'>,
  ) {}

  /** Undefined when its modules do not go together. */
  async reportOf({ slug, revision }: Pick<AdminTenant, 'slug' | 'revision'>): Promise<CatalogueReport | undefined> {
    const catalogue = await this.current(slug, revision);
    if (!catalogue) return undefined;
    const { tenant, sources } = catalogue;
    if (tenant.sources.length === sources.size) return { tenant, catalogue, faults: new Map() };
    return this.check.look(tenant, catalogue);
  }

  private async current(slug: string, revision: number): Promise<Catalogue | undefined> {
    try {
      const known = await this.directory.find(slug);
      return known && known.tenant.revision >= revision ? known : await this.directory.refresh(slug);
    } catch (error) {
      if (error instanceof CatalogueError) return undefined;
      throw error;
    }
  }
}
