import { describe, expect, it } from '@jest/globals';
import { CatalogueContent } from './catalogue-content.js';
import { Forbidden, type Grant } from './catalogue-view.js';
import type { CompiledSource } from './entries.js';
import { parseUriTemplate } from './uri-template.js';

const entry = (key: string, ...scopes: string[]) => ({ key, scopes, definition: { name: key } });
const template = (key: string, ...scopes: string[]) => ({ ...entry(key, ...scopes), template: parseUriTemplate(key) });

const content = new CatalogueContent(
  [
    {
      name: 'files',
      title: undefined,
      instructions: undefined,
      entries: {
        tools: [entry('list'), entry('read', 'files:read'), entry('wipe', 'files:write', 'admin')],
        resources: [entry('files://open/index'), entry('files://secret/index', 'secret')],
        templates: [template('files://secret/{name}', 'secret'), template('files://{+path}')],
        prompts: [entry('tidy', 'files:read')],
      },
    } as unknown as CompiledSource,
  ],
  100,
);

function grant(...scopes: string[]): Grant {
  return {
    key: scopes.join(' '),
    canStepUp: true,
    permits: (needed) => needed.every((scope) => scopes.includes(scope)),
  };
}
const anonymous: Grant = { key: '"', canStepUp: false, permits: (needed) => needed.length === 0 };

const names = (list: { readonly entries: readonly { readonly key: string }[] }) => list.entries.map(({ key }) => key);
const found = (value: unknown) => (value instanceof Forbidden ? value.scopes : value && 'there');

/** Templates that tell URIs apart by their literals, or by nothing until the very end. */
function manyTemplates(ending: (index: number) => string): CatalogueContent {
  const templates = Array.from({ length: 3_000 }, (_, index) => template(`shop://{a}-{b}-{c}-${ending(index)}`));
  const entries = { tools: [], resources: [], templates, prompts: [] };
  return new CatalogueContent(
    [{ name: 'shop', title: undefined, instructions: undefined, entries } as unknown as CompiledSource],
    100,
  );
}

describe('a catalogue of thousands of templates', () => {
  const long = `shop://${'a-'.repeat(4_000)}`;
  const timeOfOne = (): number => {
    const began = performance.now();
    parseUriTemplate('shop://{a}-{b}-{c}-{d}').match(`${long}z/`);
    return performance.now() - began;
  };

  it('is looked through in far less time than to try each', () => {
    const view = manyTemplates((index) => `x${index}{?q}`).view(grant(), false);
    const began = performance.now();
    expect(found(view.findResource(`${long}z/`))).toBeUndefined();
    expect(found(view.findResource(`${long}z%41`))).toBeUndefined();
    expect(found(view.findResource('shop://1-2-3-x2999'))).toBe('there');
    expect(found(view.findResource('shop://1-2-3-%782999?q=1'))).toBe('there');
    expect(performance.now() - began).toBeLessThan(timeOfOne() * 300);
  });

  it('is not looked through to the end for a URI that nearly fits all', () => {
    const view = manyTemplates((index) => `{d${index}}`).view(grant(), false);
    const began = performance.now();
    expect(found(view.findResource(`${long}z/`))).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(timeOfOne() * 300);
  });
});

describe('a catalogue', () => {
  it('names every scope of its primitives', () => {
    expect(content.scopes).toEqual(['admin', 'files:read', 'files:write', 'secret']);
  });

  it('shows and gives what the grant permits', () => {
    const view = content.view(grant('files:read'), false);
    expect(names(view.lists.tools)).toEqual(['list', 'read']);
    expect(found(view.find('tools', 'read'))).toBe('there');
    expect(found(view.find('tools', 'nothing'))).toBeUndefined();
    expect(found(view.find('prompts', 'tidy'))).toBe('there');
  });

  it('tells who can ask for more every scope that is needed', () => {
    const view = content.view(grant('files:write'), false);
    expect(found(view.find('tools', 'wipe'))).toEqual(['files:write', 'admin']);
    expect(found(view.find('prompts', 'tidy'))).toEqual(['files:read']);
  });

  it('tells the anonymous nothing of what they cannot use', () => {
    for (const showAll of [false, true]) {
      const view = content.view(anonymous, showAll);
      expect(names(view.lists.tools)).toEqual(['list']);
      expect(found(view.find('tools', 'read'))).toBeUndefined();
      expect(found(view.findResource('files://secret/index'))).toBeUndefined();
    }
  });

  it('shows everything when the tenant chose so, and gives no more for it', () => {
    const view = content.view(grant(), true);
    expect(names(view.lists.tools)).toEqual(['list', 'read', 'wipe']);
    expect(names(view.lists.templates)).toHaveLength(2);
    expect(found(view.find('tools', 'read'))).toEqual(['files:read']);
    expect(view.permitsResource('files://secret/index')).toBe(false);
  });

  it('has one owner for each URI, whoever asks', () => {
    const view = content.view(grant(), false);
    expect(found(view.findResource('files://open/index'))).toBe('there');
    expect(found(view.findResource('files://open/other'))).toBe('there');
    // The wide template matches these too, and must not give what the owners keep back.
    expect(found(view.findResource('files://secret/index'))).toEqual(['secret']);
    expect(found(view.findResource('files://secret/other'))).toEqual(['secret']);
    expect(content.view(anonymous, false).findResource('files://secret/other')).toBeUndefined();
  });

  it('has one view for all grants that permit the same here', () => {
    expect(content.view(grant('files:read', 'group-1'), false)).toBe(
      content.view(grant('group-2', 'files:read'), false),
    );
    expect(content.view(grant('files:read'), false)).not.toBe(content.view(grant('files:read'), true));
    expect(content.view(grant(), false)).not.toBe(content.view(anonymous, false));
  });

  it('looks changed to a listener where its lists do', () => {
    const [less, more] = [content.view(grant(), false), content.view(grant('files:read'), false)];
    expect([...less.changedLists(more)]).toEqual(['tools', 'prompts']);
    expect([...content.view(grant(), true).changedLists(content.view(grant('files:read'), true))]).toEqual([]);
  });
});
