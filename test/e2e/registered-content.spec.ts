import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { TownModule } from '../support/modules/town.module.js';
import { officialClient } from '../support/official-client.js';
import { register } from '../support/registered-sources.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';

let running: RunningServer;
let client: Client & AsyncDisposable;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

beforeAll(async () => {
  running = await runServer({
    modules: [TownModule],
    tenants: [openTenant('content', 'town')],
    environment: { LIST_TTL_MS: '0' }, // the official client keeps lists for as long as they are good
  });
  client = await officialClient(running.url('content'));
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
});

const resource = (name: string, definition: object) =>
  register(running, 'content', { name, kind: 'resource', definition });
const prompt = (name: string, definition: object) => register(running, 'content', { name, kind: 'prompt', definition });

describe('registered resources', () => {
  it('are listed with all that was said of them, and read', async () => {
    await resource('handbook', {
      uri: 'docs://handbook',
      title: 'Handbook',
      mimeType: 'text/markdown',
      annotations: { audience: ['user'], priority: 0.5 },
      _meta: { 'example.org/owner': 'hr' },
      text: '# Wie man grüßt {{name}}',
      ttlMs: 60_000,
      cacheScope: 'public',
    });
    await resource('pixel', { uri: 'docs://pixel', mimeType: 'image/png', blob: PIXEL });
    const { resources } = await client.listResources();
    expect(resources.find(({ uri }) => uri === 'docs://handbook')).toEqual({
      uri: 'docs://handbook',
      name: 'handbook',
      title: 'Handbook',
      mimeType: 'text/markdown',
      annotations: { audience: ['user'], priority: 0.5 },
      _meta: { 'example.org/owner': 'hr' },
      size: 26,
    });
    expect(await client.readResource({ uri: 'docs://handbook' })).toMatchObject({
      contents: [{ uri: 'docs://handbook', mimeType: 'text/markdown', text: '# Wie man grüßt {{name}}' }],
      ttlMs: 60_000,
      cacheScope: 'public',
    });
    expect((await client.readResource({ uri: 'docs://pixel' })).contents).toEqual([
      { uri: 'docs://pixel', mimeType: 'image/png', blob: PIXEL },
    ]);
  });

  it('follow a template, with the variables of the URI in their text and a list to complete one', async () => {
    await resource('greeting', {
      uriTemplate: 'greet://{name}{?tags*}',
      text: 'Hello {{name}}!{{#tags}} ({{tags}}){{/tags}}',
      completions: { name: { values: ['Ada', 'Alan', 'Grace'] } },
    });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toEqual([{ uriTemplate: 'greet://{name}{?tags*}', name: 'greeting' }]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read('greet://%7B%7Btags%7D%7D?tags=a&tags=b')).toMatchObject({ text: 'Hello {{tags}}! (a,b)' });
    const ref = { type: 'ref/resource' as const, uri: 'greet://{name}{?tags*}' };
    const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'a' } });
    expect(completion.values).toEqual(['Ada', 'Alan']);
  });
});

describe('registered prompts', () => {
  beforeAll(async () => {
    await resource('rules', { uri: 'rules://house', mimeType: 'text/plain', text: 'No shoes.' });
    await resource('of_town', { uriTemplate: 'rules://town/{town}', text: 'Rules of {{town}}.' });
    await prompt('plan_trip', {
      title: 'Plan a trip',
      description: 'Plans a trip to a town.',
      arguments: [
        {
          name: 'town',
          description: 'Where to',
          required: true,
          completion: { tool: 'search_towns', argument: 'query' },
        },
        { name: 'mood', enum: ['calm', 'wild'] },
      ],
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: 'Plan a {{mood}} trip to {{town}}.', annotations: { priority: 1 } },
        },
        { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
        { role: 'user', content: { type: 'resource_link', uri: 'https://example.org/{{town}}', name: 'map' } },
        { role: 'user', content: { type: 'resource', resource: { uri: 'note://{{town}}', text: 'About {{town}}' } } },
        { role: 'user', content: { type: 'resource', read: 'rules://town/{{town}}' } },
        { role: 'assistant', content: { type: 'resource', read: 'rules://house' } },
      ],
    });
  });

  it('embed so much, and no more', async () => {
    await resource('long', { uri: 'rules://long', text: 'x'.repeat(1_000_000) });
    const content = { type: 'resource', read: 'rules://long' };
    await prompt('too_long', { messages: Array.from({ length: 64 }, () => ({ role: 'user', content })) });
    await expect(client.getPrompt({ name: 'too_long' })).rejects.toThrow(/embeds is more than 16777216 characters/);
  });

  it('are listed with their arguments', async () => {
    expect((await client.listPrompts()).prompts).toContainEqual({
      name: 'plan_trip',
      title: 'Plan a trip',
      description: 'Plans a trip to a town.',
      arguments: [
        { name: 'town', description: 'Where to', required: true },
        { name: 'mood', required: false },
      ],
    });
  });

  it('have arguments put in as they are, percent-encoded in URIs, and embed resources', async () => {
    const town = '{{mood}}/../<São>';
    const encoded = '%7B%7Bmood%7D%7D%2F..%2F%3CS%C3%A3o%3E';
    const { messages } = await client.getPrompt({ name: 'plan_trip', arguments: { town, mood: 'calm' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: `Plan a calm trip to ${town}.`, annotations: { priority: 1 } } },
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'resource_link', uri: `https://example.org/${encoded}`, name: 'map' } },
      { role: 'user', content: { type: 'resource', resource: { uri: `note://${encoded}`, text: `About ${town}` } } },
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: `rules://town/${encoded}`, text: `Rules of ${town}.` } },
      },
      {
        role: 'assistant',
        content: { type: 'resource', resource: { uri: 'rules://house', mimeType: 'text/plain', text: 'No shoes.' } },
      },
    ]);
  });

  it('refuse arguments that are missing, unknown or none of the list', async () => {
    const get = (args: Record<string, string>) => client.getPrompt({ name: 'plan_trip', arguments: args });
    await expect(get({})).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('town') });
    await expect(get({ town: 'Oslo', mood: 'sad' })).rejects.toMatchObject({ code: -32602 });
    await expect(get({ town: 'Oslo', when: 'now' })).rejects.toMatchObject({ code: -32602 });
  });

  it('complete an argument from a tool, and from an enum', async () => {
    const complete = async (name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/prompt', name: 'plan_trip' }, argument: { name, value } })).completion;
    expect(await complete('town', 'Li')).toEqual({ values: ['Lisbon', 'Lima'], total: 2, hasMore: false });
    expect((await complete('mood', 'w')).values).toEqual(['wild']);
  });

  it('suggest nothing where the tool fails, refuses its arguments, is not there or not permitted', async () => {
    const completions = {
      town: { tool: 'search_towns', argument: 'query' },
      none: { tool: 'no_tool', argument: 'query' },
      hidden: { tool: 'secret_towns', argument: 'query' },
      many: { tool: 'many', argument: 'query' },
      wrong: { tool: 'search_towns', argument: 'question' },
      picked: { tool: 'search_towns', argument: 'query', expression: 'found[].name' },
      mispicked: { tool: 'search_towns', argument: 'query', expression: 'found' },
    };
    const args = Object.entries(completions).map(([name, completion]) => ({ name, completion }));
    await prompt('suggest', { arguments: args, messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] });
    const complete = async (name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/prompt', name: 'suggest' }, argument: { name, value } })).completion;
    for (const [name, value] of [
      ['town', 'fail'],
      ['town', 'x'.repeat(21)],
      ['none', ''],
      ['hidden', ''],
      ['wrong', 'Li'],
      ['mispicked', 'Li'],
    ] as const) {
      expect({ name, ...(await complete(name, value)) }).toEqual({ name, values: [], total: 0, hasMore: false });
    }
    expect((await complete('picked', 'Li')).values).toEqual(['LISBON', 'LIMA']);
    const many = await complete('many', '');
    expect(many).toMatchObject({ total: 250, hasMore: true });
    expect(many.values).toHaveLength(100);
  });

  it('embed nothing that the caller may not read, that asks questions or is not there', async () => {
    const embedding = async (name: string, read: string) => {
      await prompt(name, { messages: [{ role: 'user', content: { type: 'resource', read } }] });
      return client.getPrompt({ name });
    };
    await expect(embedding('of_secret', 'town://secret')).rejects.toMatchObject({ code: -32602 });
    await expect(embedding('of_nothing', 'town://nothing')).rejects.toMatchObject({ code: -32602 });
    await expect(embedding('of_question', 'town://asks')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('cannot be read without asking the user'),
    });
  });
});

describe('a definition that does not work', () => {
  it('is left out, and the rest of the catalogue is served', async () => {
    await prompt('broken', { messages: [{ role: 'user', content: { type: 'text', text: '{{nothing}}' } }] });
    const names = (await client.listPrompts()).prompts.map(({ name }) => name);
    expect(names).toContain('plan_trip');
    expect(names).not.toContain('broken');
  });
});
