import type { CatalogueDifference } from '#catalogue/catalogue-difference.js';
import type { Change } from '#events/change.js';
import type { ChangeRelay } from '#events/change-relay.js';
import type { OutboxEntry } from '#events/outbox.js';
import type { JsonObject } from '#protocol/json.js';
import type { Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { AdminRows, AdminStore } from '../stores/admin.store.js';
import type { ChangeTerms } from './change-terms.js';
import type { KeptAnswers } from './kept-answers.js';
import { Turns } from './turns.js';

/** What a change has done. */
export interface Done {
  readonly answer: Answer;
  /** For the history, such as `source.create`. */
  readonly action: string;
  /** To what, such as a source's name. */
  readonly target?: string;
  /** Never holds secrets. */
  readonly detail?: JsonObject;
  /** What every node is to hear of. */
  readonly changes?: readonly Change[];
  /** What it does to the tenant's catalogue. */
  readonly difference?: CatalogueDifference;
  /** The tenant's revision after it, where it has grown. */
  readonly revision?: number;
}

/** Makes changes: each in one transaction with its history, its word to the nodes and the answer that is kept. */
export class Changes {
  private readonly turns = new Turns();

  constructor(
    private readonly store: AdminStore,
    private readonly answers: KeptAnswers,
    private readonly relay: Pick<ChangeRelay, 'send'>,
  ) {}

  /** Changes what is no tenant's, or makes a tenant. */
  async platform(terms: ChangeTerms, work: (rows: AdminRows) => Promise<Done>): Promise<Answer> {
    return terms.dryRun ? this.rehearse(work) : this.make(terms, work);
  }

  /** Changes something of a tenant, alone: nobody else changes anything of it meanwhile. */
  tenant(
    terms: ChangeTerms,
    tenant: Pick<AdminTenant, 'id'>,
    work: (rows: AdminRows, tenant: AdminTenant) => Promise<Done>,
  ): Promise<Answer> {
    const alone = async (rows: AdminRows): Promise<Done> => {
      const locked = await rows.tenants.lock(tenant.id);
      if (!locked) throw new Problem('not_found', 'There is no such tenant any more.');
      const done = await work(rows, locked);
      const { action, target = null, detail = {}, revision = locked.revision } = done;
      await rows.history.append({ tenantId: locked.id, actor: terms.actor, action, target, detail, revision });
      return done;
    };
    return this.turns.take(tenant.id, () => this.platform(terms, alone));
  }

  private async make({ repeat }: ChangeTerms, work: (rows: AdminRows) => Promise<Done>): Promise<Answer> {
    let entries: readonly OutboxEntry[] = [];
    const answer = await this.store.transaction(async (rows) => {
      const known = repeat && (await this.answers.claim(rows, repeat));
      if (known) return known;
      const done = await work(rows);
      entries = await rows.announce(done.changes ?? []);
      if (repeat) await this.answers.keep(rows, repeat, done.answer);
      return done.answer;
    });
    if (entries.length > 0) await this.relay.send(entries);
    return answer;
  }

  /** Does everything, takes it back, and says what was done. */
  private async rehearse(work: (rows: AdminRows) => Promise<Done>): Promise<Answer> {
    try {
      return await this.store.transaction(async (rows) => {
        throw new Rehearsed(await work(rows));
      });
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error;
      const { action, target = null, difference } = error.done;
      return { status: 200, body: { dryRun: true, action, target, ...(difference && { catalogue: difference }) } };
    }
  }
}

/** Ends a transaction whose work was only tried. */
class Rehearsed extends Error {
  constructor(readonly done: Done) {
    super('Everything worked; nothing is kept.');
  }
}
