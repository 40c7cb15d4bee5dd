import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { JsonObject } from '#protocol/json.js';
import { type CompiledSchema, compileSchema } from '#schema/compile-schema.js';
import { DEFAULT_SCHEMA_LIMITS } from '#schema/schema-limits.js';
import { DEFAULT_ACCESS_POLICY } from '#tenancy/access-policy.js';
import type { SourceRecord, TenantRecord } from '#tenancy/tenant.store.js';
import { CatalogueCompiler, CatalogueError } from './catalogue-compiler.js';
import { DefinitionError } from './definition-error.js';
import type { CompiledSource } from './entries.js';
import type { ModuleRegistry } from './modules/module-registry.js';
import { SourceCompiler } from './source-compiler.js';

const SCHEMA = { role: 'input', limits: DEFAULT_SCHEMA_LIMITS } as const;

function bringing(name: string, ...tools: string[]): CompiledSource {
  const entries = tools.map((key) => ({ key, source: name, scopes: [], definition: { name: key } }));
  const nothing = { resources: [], templates: [], prompts: [] };
  return { name, title: undefined, instructions: undefined, entries: { tools: entries, ...nothing } } as never;
}

/** Sources bring the tool that their definition names; one without a name cannot work. */
class Sources extends SourceCompiler {
  readonly compiled: string[] = [];

  override compile({ name, version, definition }: SourceRecord): CompiledSource {
    this.compiled.push(`${name}@${version}`);
    if (typeof definition['tool'] !== 'string') throw new DefinitionError('/tool', 'there is none.', 'Name one.');
    return bringing(name, definition['tool']);
  }
}

const greeting = z.object({ word: z.string().default('Hello'), times: z.number().default(1) });

const MODULES = new Map<string, CompiledSource & { readonly configuration?: CompiledSchema }>([
  ['files', bringing('files', 'read')],
  ['books', bringing('books', 'read')],
  ['greeter', { ...bringing('greeter', 'greet'), configuration: compileSchema(greeting, SCHEMA) }],
]);

function source(name: string, tool: string | undefined, version = 1): SourceRecord {
  return { id: `id-${name}`, name, kind: 'http_tool', definition: tool === undefined ? {} : { tool }, version };
}

function tenant(modules: string[], ...sources: SourceRecord[]): TenantRecord {
  return {
    id: 'id',
    slug: 'acme',
    title: 'Acme',
    status: 'active',
    access: 'open',
    accessPolicy: DEFAULT_ACCESS_POLICY,
    instructions: null,
    revision: 1,
    deletesAt: null,
    activations: modules.map((module) => ({ module, configuration: {} })),
    sources,
  };
}

const anybody = { key: '', canStepUp: false, permits: () => true };

describe('the catalogue of modules and sources', () => {
  let sources: Sources;
  let broken: string[];
  let compiler: CatalogueCompiler;

  const toolsOf = async (record: TenantRecord): Promise<readonly string[]> => {
    const { entries } = (await compiler.compile(record)).view(anybody).lists.tools;
    return entries.map(({ key }) => key);
  };

  beforeEach(() => {
    sources = new Sources();
    broken = [];
    compiler = new CatalogueCompiler(MODULES as unknown as ModuleRegistry, sources, {
      pageSize: 10,
      version: '1',
      onUnknownModule: () => undefined,
      onBrokenSource: (slug, name, error) => broken.push(`${slug} ${name} ${String(error)}`),
    });
  });

  it('lists what both bring', async () => {
    expect(await toolsOf(tenant(['files'], source('weather', 'forecast')))).toEqual(['forecast', 'read']);
  });

  it('leaves out a source that cannot work, and keeps the others', async () => {
    const record = tenant(['files'], source('bad', undefined), source('weather', 'forecast'));
    expect(await toolsOf(record)).toEqual(['forecast', 'read']);
    expect(broken).toEqual(['acme bad DefinitionError: /tool: there is none. Name one.']);
  });

  it('leaves out a source whose primitive a module brings, or another source before it, and says whose it is', async () => {
    const record = tenant(['files'], source('a', 'read'), source('b', 'write'), source('c', 'write'));
    expect(await toolsOf(record)).toEqual(['read', 'write']);
    expect(broken[0]).toContain('"read" is brought by the module "files" already.');
    expect(broken[1]).toContain('"write" is brought by the source "b" already.');
  });

  it('is looked at before it is stored: what works, and why the rest does not', async () => {
    const { catalogue, faults } = await compiler.inspect(tenant([], source('good', 'x'), source('bad', undefined)));
    expect(catalogue.view(anybody).lists.tools.entries.map(({ key }) => key)).toEqual(['x']);
    expect([...faults]).toEqual([['bad', expect.objectContaining({ pointer: '/tool' })]]);
  });

  it('cannot be made of two modules with the same tool', async () => {
    await expect(compiler.compile(tenant(['files', 'books'], source('a', 'x')))).rejects.toThrow(CatalogueError);
  });

  it('compiles again only what has changed since the last one', async () => {
    const first = await compiler.compile(tenant([], source('a', 'x'), source('b', 'y')));
    const second = await compiler.compile(tenant([], source('a', 'x'), source('b', 'z', 2)), first);
    expect(sources.compiled).toEqual(['a@1', 'b@1', 'b@2']);
    expect(second.view(anybody).lists.tools.entries.map(({ key }) => key)).toEqual(['x', 'z']);
  });

  it('has what was set for a module, with the defaults of its schema, and leaves a module out that it does not fit', async () => {
    const set = (configuration: JsonObject): TenantRecord => ({
      ...tenant([]),
      activations: [
        { module: 'files', configuration: {} },
        { module: 'greeter', configuration },
      ],
    });
    const fitting = await compiler.compile(set({ word: 'Hi' }));
    expect(fitting.configurationOf('greeter')).toEqual({ word: 'Hi', times: 1 });
    expect(fitting.configurationOf('files')).toEqual({});
    expect(await toolsOf(set({ word: 1 }))).toEqual(['read']);
    expect(broken.at(-1)).toContain('the configuration does not fit the module "greeter": word: ');
    expect(await toolsOf({ ...tenant([]), activations: [{ module: 'files', configuration: { a: 1 } }] })).toEqual([]);
    expect(broken.at(-1)).toContain('/a: the module "files" takes no configuration.');
  });

  it('shares the content of tenants with the same modules and no sources', async () => {
    const [one, other] = [await compiler.compile(tenant(['files'])), await compiler.compile(tenant(['files']))];
    expect(other.content).toBe(one.content);
    expect((await compiler.compile(tenant(['files'], source('a', 'x')))).content).not.toBe(one.content);
  });

  it('lets others have their turn while a large one is compiled', async () => {
    const slow = source('slow', 'x');
    let turns = 0;
    const count = setInterval(() => (turns += 1), 1);
    const busy = new (class extends SourceCompiler {
      override compile(given: SourceRecord): CompiledSource {
        const until = performance.now() + 5;
        while (performance.now() < until);
        return bringing(given.name, given.name);
      }
    })();
    compiler = new CatalogueCompiler(MODULES as unknown as ModuleRegistry, busy, {
      pageSize: 10,
      version: '1',
      onUnknownModule: () => undefined,
      onBrokenSource: () => undefined,
    });
    await compiler.compile(
      tenant([], ...Array.from({ length: 20 }, (_, n) => ({ ...slow, id: `${n}`, name: `${n}` }))),
    );
    clearInterval(count);
    expect(turns).toBeGreaterThan(3);
  });
});
