import { differenceOf } from '#catalogue/catalogue-difference.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import { CatalogueError } from '#catalogue/catalogue-compiler.js';
import type { TenantDirectory } from '#catalogue/tenant-directory.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import type { Answer } from '../http/answer.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { AdminRows } from '../stores/admin.store.js';
import type { CatalogueCheck, CatalogueReport } from './catalogue-check.js';
import type { ChangeTerms } from './change-terms.js';
import type { Changes, Done } from './changes.js';

/** What a change of a catalogue has done. */
export interface CatalogueDone extends Omit<Done, 'answer' | 'difference' | 'revision'> {
  /** The source that was made or changed: it must work. */
  readonly touched?: string;
  /**
   * @param after the catalogue that comes of it
   * @param tenant at its new revision
   */
  readonly answer: (after: CatalogueReport, tenant: AdminTenant) => Answer;
}

type Work = (rows: AdminRows, tenant: AdminTenant) => Promise<CatalogueDone>;

/** Changes what a tenant's catalogue is made from; what comes of it is compiled before it is kept. */
export class CatalogueChanges {
  constructor(
    private readonly changes: Changes,
    private readonly check: CatalogueCheck,
    private readonly directory: Pick<TenantDirectory, 'find' | 'refresh'>,
  ) {}

  /**
   * This node serves what comes of it before it answers; the others as soon as they hear of it.
   * @throws Problem `invalid_definition` when the catalogue would not work
   */
  async make(terms: ChangeTerms, tenant: Pick<AdminTenant, 'id' | 'slug'>, work: Work): Promise<Answer> {
    const answer = await this.change(terms, tenant, work);
    if (!terms.dryRun) await this.serve(tenant.slug);
    return answer;
  }

  /** Takes in here what was changed. That it fails is made up for when the change is heard of, or looked for. */
  async serve(slug: string): Promise<void> {
    await this.directory.refresh(slug).catch(() => undefined);
  }

  private async change(terms: ChangeTerms, tenant: Pick<AdminTenant, 'id' | 'slug'>, work: Work): Promise<Answer> {
    const known = await this.compiled(tenant.slug); // what takes long is done before anything is locked
    return this.changes.tenant(terms, tenant, async (rows, locked) => {
      const stale = known?.tenant.revision !== locked.revision;
      const before = terms.dryRun || stale ? await rows.tenants.record(locked.id) : known.tenant;
      const { touched, answer, changes = [], ...done } = await work(rows, locked);
      const advanced = await rows.tenants.advance(locked.id);
      const { revision } = advanced;
      const after = await rows.tenants.record(locked.id);
      const report = await this.check.check({ before, after, known, touched });
      return {
        ...done,
        revision,
        answer: answer(report, advanced),
        changes: [{ type: 'catalogue', tenantId: locked.id, slug: locked.slug, revision }, ...changes],
        ...(terms.dryRun && { difference: await this.difference(before, report, known) }),
      };
    });
  }

  private async difference(before: TenantRecord, { catalogue }: CatalogueReport, known: Catalogue | undefined) {
    return differenceOf((await this.check.look(before, known)).catalogue, catalogue);
  }

  private async compiled(slug: string): Promise<Catalogue | undefined> {
    try {
      return await this.directory.find(slug);
    } catch (error) {
      if (error instanceof CatalogueError) return undefined; // that may be what is about to be mended
      throw error;
    }
  }
}
