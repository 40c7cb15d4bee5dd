import { randomUUID } from 'node:crypto';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { Change } from '#events/change.js';
import type { JsonObject } from '#protocol/json.js';
import type { SourceKind } from '#tenancy/tenant.store.js';
import type { AdminParts } from '../admin-parts.js';
import { definitionProblem } from '../changes/catalogue-check.js';
import type { CatalogueDone } from '../changes/catalogue-changes.js';
import { type ChangeTerms, requireMatch } from '../changes/change-terms.js';
import type { Answer } from '../http/answer.js';
import { Problem } from '../http/problem.js';
import { DEFINITIONS_OF_TENANT, LIMITS } from '../limits.js';
import type { AdminTenant } from '../stores/admin-tenant.rows.js';
import type { AdminRows } from '../stores/admin.store.js';
import type { SourceRow } from '../stores/source.rows.js';
import { showSource, tagOfSource } from './source-view.js';

interface GivenSource {
  readonly name: string;
  readonly kind: SourceKind;
  readonly definition: JsonObject;
}

/** Registers, changes and deletes sources. */
export class SourceChanges {
  constructor(private readonly parts: Pick<AdminParts, 'store' | 'catalogues' | 'inspector'>) {}

  /** @throws Problem `conflict`, `limit_reached`, `invalid_definition` */
  async create(tenant: AdminTenant, terms: ChangeTerms, given: GivenSource): Promise<Answer> {
    await this.inspect(given);
    return this.parts.catalogues.make(terms, tenant, async (rows, { id, slug }): Promise<CatalogueDone> => {
      if (await rows.sources.find(id, given.name)) throw nameTaken(given.name);
      const row = await this.insert(rows, id, given);
      return done(row, 'source.create', { location: `/admin/v1/tenants/${slug}/sources/${row.name}` });
    });
  }

  /** @throws Problem `precondition_failed`, `limit_reached`, `invalid_definition` */
  async put(
    tenant: AdminTenant,
    terms: ChangeTerms,
    given: Omit<GivenSource, 'kind'> & { readonly kind?: SourceKind | undefined },
  ): Promise<Answer> {
    const known = await this.parts.store.rows.sources.find(tenant.id, given.name);
    const kind = given.kind ?? known?.kind;
    if (!known && !terms.onlyNew) requireMatch(terms, undefined);
    if (!kind) throw wrongKind('is missing: it must be known to make a source');
    const source = { ...given, kind };
    await this.inspect(source);
    return this.parts.catalogues.make(terms, tenant, async (rows, { id }): Promise<CatalogueDone> => {
      const old = await rows.sources.find(id, given.name);
      requireMatch(terms, old && tagOfSource(old));
      if (!old) return done(await this.insert(rows, id, source), 'source.create');
      if (old.kind !== kind) throw wrongKind(`is ${old.kind} and cannot change: delete the source and make another`);
      await requireSecrets(rows, id, this.parts.inspector.secretsOf(source));
      const row = await rows.sources.update(id, given.name, given.definition);
      await requireRoom(rows, id);
      return { ...done(row, 'source.update'), changes: contentsChanged(id, row) };
    });
  }

  /** @throws Problem `not_found`, `precondition_failed` */
  remove(tenant: AdminTenant, terms: ChangeTerms, name: string): Promise<Answer> {
    return this.parts.catalogues.make(terms, tenant, async (rows, { id }): Promise<CatalogueDone> => {
      const old = await rows.sources.find(id, name);
      if (!old) throw new Problem('not_found', 'The tenant has no such source.');
      requireMatch(terms, tagOfSource(old));
      await rows.sources.remove(id, name);
      return { answer: () => ({ status: 204 }), action: 'source.delete', target: name, detail: { kind: old.kind } };
    });
  }

  /** What waits for others is done before anything is locked. */
  private async inspect(source: GivenSource): Promise<void> {
    try {
      await this.parts.inspector.check(source);
    } catch (error) {
      throw error instanceof DefinitionError ? definitionProblem(error) : error;
    }
  }

  private async insert(rows: AdminRows, tenantId: string, source: GivenSource): Promise<SourceRow> {
    if ((await rows.sources.count(tenantId)) >= LIMITS.sourcesOfTenant)
      throw new Problem('limit_reached', `The tenant has ${LIMITS.sourcesOfTenant} sources already: delete one.`);
    await requireSecrets(rows, tenantId, this.parts.inspector.secretsOf(source));
    const { name, kind, definition } = source;
    const row = await rows.sources.create(tenantId, { id: randomUUID(), name, kind, definition });
    await requireRoom(rows, tenantId);
    return row;
  }
}

function done(row: SourceRow, action: string, headers: Record<string, string> = {}): CatalogueDone {
  const status = action === 'source.create' ? 201 : 200;
  return {
    answer: (after) => ({ status, body: showSource(row, after), etag: tagOfSource(row, after), headers }),
    action,
    target: row.name,
    detail: { kind: row.kind, version: row.version },
    touched: row.name,
  };
}

/** A fixed resource is read otherwise from now on, whether or not it is listed otherwise. */
function contentsChanged(tenantId: string, { kind, definition: { uri } }: SourceRow): readonly Change[] {
  return kind === 'resource' && typeof uri === 'string' ? [{ type: 'resource', tenantId, uri }] : [];
}

/** @throws Problem `limit_reached` */
async function requireRoom({ sources }: AdminRows, tenantId: string): Promise<void> {
  if ((await sources.length(tenantId)) <= DEFINITIONS_OF_TENANT) return;
  const most = `${DEFINITIONS_OF_TENANT / (1024 * 1024)} MiB`;
  throw new Problem('limit_reached', `The definitions of all sources would be over ${most} together: delete some.`);
}

async function requireSecrets(
  rows: AdminRows,
  tenantId: string,
  named: ReturnType<AdminParts['inspector']['secretsOf']>,
): Promise<void> {
  for (const { name, pointer } of named) {
    if (await rows.secrets.find(tenantId, name)) continue;
    const mend = `Make it first: PUT …/secrets/${name}.`;
    throw definitionProblem(new DefinitionError(pointer, `there is no secret "${name}".`, mend));
  }
}

function nameTaken(name: string): Problem {
  return new Problem(
    'conflict',
    `The tenant has a source "${name}" already: change it by PUT, or choose another name.`,
    {
      errors: [{ pointer: '/name', detail: 'is taken' }],
    },
  );
}

function wrongKind(detail: string): Problem {
  return new Problem('invalid_body', `The kind ${detail}.`, { errors: [{ pointer: '/kind', detail }] });
}
