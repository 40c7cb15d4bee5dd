import { CatalogueError, type CatalogueCompiler } from '#catalogue/catalogue-compiler.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import { Problem } from '../http/problem.js';

/** What comes of a tenant's rows. */
export interface CatalogueReport {
  readonly tenant: TenantRecord;
  /** Undefined when its modules do not go together. */
  readonly catalogue: Catalogue | undefined;
  /** Why sources were left out, by their names. */
  readonly faults: ReadonlyMap<string, unknown>;
}

/** Rows before and after a change. */
export interface Comparison {
  readonly before: TenantRecord;
  readonly after: TenantRecord;
  /** What is compiled already. */
  readonly known: Catalogue | undefined;
  /** The name of the source that was made or changed. */
  readonly touched: string | undefined;
}

/** Whether a catalogue works, before it is kept. */
export class CatalogueCheck {
  constructor(private readonly compiler: Pick<CatalogueCompiler, 'inspect'>) {}

  /**
   * What was broken before may stay so: it must not keep anybody from mending the rest.
   * @throws Problem `invalid_definition` for what the change breaks
   */
  async check({ before, after, known, touched }: Comparison): Promise<CatalogueReport> {
    const report = await this.look(after, known);
    const own = touched === undefined ? undefined : report.faults.get(touched);
    if (own !== undefined) throw definitionProblem(own);
    if (report.catalogue && report.faults.size === 0) return report;
    const old = await this.look(before, known);
    if (!report.catalogue && old.catalogue)
      throw new Problem('invalid_definition', 'Two of its modules bring the same primitive: activate one of them.');
    for (const [name, fault] of report.faults) {
      if (!old.faults.has(name) && old.catalogue) throw brokenNeighbour(name, fault);
    }
    return report;
  }

  async look(tenant: TenantRecord, known: Catalogue | undefined): Promise<CatalogueReport> {
    try {
      return { tenant, ...(await this.compiler.inspect(tenant, known)) };
    } catch (error) {
      if (error instanceof CatalogueError) return { tenant, catalogue: undefined, faults: new Map() };
      throw error;
    }
  }
}

/** @param fault what the compiler said of the definition in the request's body */
export function definitionProblem(fault: unknown): Problem {
  const { pointer, detail } = explainFault(fault);
  return new Problem('invalid_definition', 'The definition cannot work, so nothing was changed.', {
    errors: [{ pointer: `/definition${pointer}`, detail }],
  });
}

function brokenNeighbour(name: string, fault: unknown): Problem {
  const { detail } = explainFault(fault);
  return new Problem('invalid_definition', `The source "${name}" would not work any more, so nothing was changed.`, {
    errors: [{ pointer: '', detail }],
  });
}

/** What may be told of why a source does not work. */
export function explainFault(fault: unknown): { readonly pointer: string; readonly detail: string } {
  if (fault instanceof DefinitionError) return { pointer: fault.pointer, detail: `${fault.problem} ${fault.mend}` };
  return { pointer: '', detail: 'it does not compile; the log says why.' };
}
