import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

/** Layers from the inside out; a lib may import from layers before its own, and nothing from its neighbours. */
const LAYERS: readonly (readonly string[])[] = [
  ['protocol'],
  ['schema'],
  ['authoring', 'tenancy', 'outbound'],
  ['access', 'catalogue', 'invocation', 'events'],
  ['serving'],
  ['bindings'],
  ['authorization', 'sources'],
  ['admin'],
  ['persistence', 'messaging', 'telemetry'],
  ['server'],
];

/** Packages that the inner layers must not know. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  protocol: /^(?:@nestjs|fastify|@prisma|ioredis|pino|ajv)/,
  schema: /^(?:@nestjs|fastify|@prisma|ioredis|pino)/,
  tenancy: /^(?:@nestjs|fastify|@prisma|ioredis|pino)/,
  outbound: /^(?:@nestjs|fastify|@prisma|ioredis|pino)/,
  access: /^(?:fastify|@prisma|ioredis|pino)/,
  catalogue: /^(?:fastify|@prisma|ioredis|pino|@nestjs\/platform)/,
  invocation: /^(?:@nestjs|fastify|@prisma|ioredis|pino)/,
  events: /^(?:@nestjs|fastify|@prisma|ioredis|pino)/,
  serving: /^(?:@nestjs|fastify|@prisma|ioredis|pino)/,
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('generated'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function libOf(file: string): string {
  const [, lib = ''] = file.split('/');
  return lib;
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'/gms),
    ...text.matchAll(/^import '([^']+)'/gm),
  ];
  return specifiers.map(([, to = '']) => ({ file, from: libOf(file), to }));
}

const files = [...sources('libs'), ...sources('apps/server')];
const imports = files.filter((file) => !file.endsWith('.spec.ts')).flatMap(importsOf);

function layerOf(lib: string): number {
  return LAYERS.findIndex((layer) => layer.includes(lib));
}

describe('the direction of imports', () => {
  it('finds every lib in a layer', () => {
    const unknown = [...new Set(imports.map(({ from }) => from))].filter((lib) => layerOf(lib) === -1);
    expect(unknown).toEqual([]);
  });

  it('goes inwards only, and never sideways', () => {
    const wrong = imports
      .map((found) => ({ ...found, target: /^#([a-z]+)\//.exec(found.to)?.[1] }))
      .filter(({ target }) => target !== undefined)
      .filter(({ from, target = '' }) => from !== target && layerOf(target) >= layerOf(from))
      .map(({ file, to }) => `${file} imports ${to}`);
    expect(wrong).toEqual([]);
  });

  it('reaches another lib through its alias, never by path', () => {
    const wrong = imports.filter(
      ({ file, to }) => to.startsWith('.') && libOf(relative(ROOT, join(ROOT, file, '..', to))) !== libOf(file),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps frameworks and drivers out of the inner layers', () => {
    const wrong = imports
      .filter(({ from, to }) => FORBIDDEN[from]?.test(to) === true)
      .map(({ file, to }) => `${file} imports ${to}`);
    expect(wrong).toEqual([]);
  });

  it('has no cycle among files', () => {
    const graph = new Map(files.map((file) => [file, targetsOf(file)]));
    expect(findCycle(graph)).toBeUndefined();
  });

  it('reads the environment in the composition root alone', () => {
    const wrong = files.filter(
      (file) =>
        !/^apps\/server\/(?:manage\/)?main\.ts$/.test(file) &&
        /process\.env/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

/** Value imports only: a type is gone when the program runs. */
function targetsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [...text.matchAll(/^(?:import|export) (?!type\b)[^'"]*?from '([^']+)'/gms)].map(
    ([, to = '']) => to,
  );
  return specifiers.flatMap((to) => {
    if (to.startsWith('.')) return [relative(ROOT, join(ROOT, file, '..', to)).replace(/\.js$/, '.ts')];
    const [, lib, rest] = /^#([a-z]+)\/(.+)\.js$/.exec(to) ?? [];
    if (lib === undefined) return [];
    return [lib === 'server' ? `apps/server/${rest}.ts` : `libs/${lib}/${rest}.ts`];
  });
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
