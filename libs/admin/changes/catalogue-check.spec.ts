import { describe, expect, it } from '@jest/globals';
import { CatalogueError, type InspectedCatalogue } from '#catalogue/catalogue-compiler.js';
import type { Catalogue } from '#catalogue/catalogue.js';
import { DefinitionError } from '#catalogue/definition-error.js';
import type { TenantRecord } from '#tenancy/tenant.store.js';
import { CatalogueCheck, type Comparison } from './catalogue-check.js';

/** A compiler that leaves out sources whose definition has a fault, and refuses tenants that clash. */
const check = new CatalogueCheck({
  inspect: (tenant: TenantRecord): Promise<InspectedCatalogue> => {
    if (tenant.title === 'clash') return Promise.reject(new CatalogueError(tenant.slug, 'two modules'));
    const faults = tenant.sources.flatMap(({ name, definition }) =>
      definition['fault'] === undefined
        ? []
        : [[name, new DefinitionError('/url', 'it is wrong.', 'Mend it.')] as const],
    );
    return Promise.resolve({ catalogue: {} as Catalogue, faults: new Map(faults) });
  },
});

const good = (name: string) => ({ name, definition: {} });
const bad = (name: string) => ({ name, definition: { fault: true } });
const tenant = (title: string, ...sources: object[]) => ({ slug: 't', title, sources }) as unknown as TenantRecord;

function tell(before: TenantRecord, after: TenantRecord, touched?: string) {
  const comparison: Comparison = { before, after, touched, known: undefined };
  return check.check(comparison);
}

describe('the check of a catalogue', () => {
  it('refuses a source that does not work, with the pointer into the body', async () => {
    await expect(tell(tenant('t'), tenant('t', bad('a')), 'a')).rejects.toMatchObject({
      kind: 'invalid_definition',
      extras: { errors: [{ pointer: '/definition/url', detail: 'it is wrong. Mend it.' }] },
    });
  });

  it('refuses to leave a source as broken as it was, where it is the one that is changed', async () => {
    await expect(tell(tenant('t', bad('a')), tenant('t', bad('a')), 'a')).rejects.toThrow('cannot work');
  });

  it('lets the rest be mended while something else stays broken', async () => {
    const report = await tell(tenant('t', bad('a'), bad('b')), tenant('t', bad('a'), good('b')), 'b');
    expect([...report.faults.keys()]).toEqual(['a']);
  });

  it('refuses what breaks another source', async () => {
    await expect(tell(tenant('t', good('a')), tenant('t', bad('a'), good('b')), 'b')).rejects.toThrow('"a"');
  });

  it('refuses modules that do not go together, unless they did not before', async () => {
    await expect(tell(tenant('t'), tenant('clash'))).rejects.toThrow('Two of its modules');
    expect(await tell(tenant('clash'), tenant('clash'))).toMatchObject({ catalogue: undefined });
  });
});
