import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seen, WorkshopModule } from '../support/modules/workshop.module.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { errorOf, EventStream, openSocket, rawRequest, resultOf, send, type Answer } from '../support/wire.js';

let running: RunningServer;
let url: string;

beforeAll(async () => {
  running = await runServer({
    modules: [WorkshopModule],
    tenants: [openTenant('workshop', 'workshop'), openTenant('other', 'workshop')],
    environment: { PAGE_SIZE: '5', RESULT_LIMIT: '32KiB' },
  });
  url = running.url('workshop');
});

afterAll(async () => running[Symbol.asyncDispose]());

function call(name: string, args?: object, more: object = {}): Promise<Answer> {
  return send(url, { method: 'tools/call', params: { name, ...(args && { arguments: args }) }, ...more });
}

const textOf = (answer: Answer): string =>
  resultOf(answer)
    ['content'].map((block: { text: string }) => block.text)
    .join('|');

describe('lists', () => {
  it('come in pages, in order, each primitive once, without those the caller may not see', async () => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = resultOf(await send(url, { method: 'tools/list', params: cursor === undefined ? {} : { cursor } }));
      expect(page['tools'].length).toBeLessThanOrEqual(5);
      expect(page).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' });
      names.push(...page['tools'].map((tool: { name: string }) => tool.name));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toContain('interview');
    expect(names).not.toContain('secret');
  });

  it('refuse cursors that were changed, are of another list, of another tenant, or no strings', async () => {
    const { nextCursor } = resultOf(await send(url, { method: 'tools/list' }));
    const other = resultOf(await send(running.url('other'), { method: 'tools/list' }))['nextCursor'];
    for (const cursor of [`${nextCursor}A`, nextCursor.slice(0, -1), other, '', 'nonsense', 5, null]) {
      expect(errorOf(await send(url, { method: 'tools/list', params: { cursor } }))).toBe('-32602 200');
    }
    expect(errorOf(await send(url, { method: 'prompts/list', params: { cursor: nextCursor } }))).toBe('-32602 200');
  });
});

describe('calling a tool', () => {
  it('runs guards, interceptors and pipes around the handler', async () => {
    expect(textOf(await call('guarded', {}))).toBe('open');
    expect(resultOf(await call('guarded', { day: 'Monday' }))).toMatchObject({
      isError: true,
      content: [{ text: 'Closed on Mondays.' }],
    });
    expect(resultOf(await call('guarded', { day: 'Tuesday' }))).toMatchObject({
      isError: true,
      content: [{ text: 'Forbidden resource' }],
    });
    expect(textOf(await call('shout'))).toBe('QUIET');
    expect(textOf(await call('trim', { text: '  x ' }))).toBe('[x] for workshop');
  });

  it('hides what an unexpected error says, behind a correlation id', async () => {
    for (const name of ['crash', 'crashLater']) {
      const answer = await call(name);
      expect(answer.text).not.toContain('hunter2');
      expect(resultOf(answer)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/correlation id [0-9a-f-]{36}/) }],
      });
    }
  });

  it('shows an error that was made to be shown', async () => {
    expect(resultOf(await call('say'))).toMatchObject({
      isError: true,
      content: [{ text: 'The printer is out of paper.' }],
    });
  });

  it('tells a model which arguments to mend', async () => {
    const answer = resultOf(await call('trim', { text: 5 }));
    expect(answer).toMatchObject({ isError: true });
    expect(answer['content'][0].text).toMatch(/- text: .*string/);
  });

  it('validates structured results before they leave', async () => {
    expect(resultOf(await call('broken'))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('correlation id') }],
    });
    expect(resultOf(await call('unstructured'))).toMatchObject({ isError: true });
    expect(resultOf(await call('numbers'))).toMatchObject({
      structuredContent: [1, 2, 3],
      content: [{ type: 'text', text: '[1,2,3]' }],
    });
    expect(resultOf(await call('full'))).toMatchObject({
      structuredContent: { ok: true },
      content: [{ text: 'fine' }],
      _meta: { 'com.example/x': 1, 'io.modelcontextprotocol/serverInfo': { name: 'workshop' } },
    });
  });

  it('answers, with the id, when a result is no JSON', async () => {
    const answer = await call('cyclic');
    expect(errorOf(answer)).toBe('-32603 200');
    expect(answer.messages[0]!.id).toBe(1);
  });

  it('ends at the time limit of the tool', async () => {
    expect(resultOf(await call('sleep'))).toMatchObject({
      isError: true,
      content: [{ text: 'The call took longer than 0.05 s and was ended.' }],
    });
  });

  it('tells when a result is too large to send', async () => {
    expect(resultOf(await call('large', { size: 40_000 }))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('larger than 32768') }],
    });
  });

  it.each([
    ['an unknown tool', { name: 'nope' }],
    ['a tool that the caller may not see', { name: 'secret' }],
    ['arguments that are a list', { name: 'say', arguments: [] }],
    ['arguments that are null', { name: 'say', arguments: null }],
    ['a state that is a number', { name: 'say', requestState: 7 }],
    ['responses that are a list', { name: 'say', inputResponses: [] }],
  ])('refuses %s', async (_what, params) => {
    expect(errorOf(await send(url, { method: 'tools/call', params }))).toBe('-32602 200');
  });

  it('never lets arguments reach a prototype', async () => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'mirrored',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mirrored","arguments":{"__proto__":{"x":1},"a":{"constructor":{"prototype":{"y":2}}}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}',
    });
    const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
    expect(result.content[0]!.text).toBe('{"a":{}}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('answers as a stream from the first notification on, and only with what was asked for', async () => {
    const quiet = await call('progress');
    expect(quiet.headers.get('content-type')).toBe('application/json');
    const loud = await call(
      'progress',
      {},
      { meta: { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'warning' } },
    );
    expect(loud.headers.get('content-type')).toBe('text/event-stream');
    expect(loud.headers.get('x-accel-buffering')).toBe('no');
    const [last, ...notifications] = [...loud.messages].reverse();
    expect(
      notifications
        .reverse()
        .map(({ method, params }) => params!['progress'] ?? [method, params!['level'], params!['data']]),
    ).toEqual([1, 3, 4, ['notifications/message', 'error', { big: true }]]);
    expect(last).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  });

  it('fires the signal and writes nothing more when the client goes', async () => {
    const before = seen.aborted;
    const stream = await EventStream.open(url, {
      method: 'tools/call',
      params: { name: 'linger' },
      meta: { progressToken: 1 },
    });
    await stream.until(1);
    stream[Symbol.dispose]();
    const deadline = Date.now() + 5_000;
    while (seen.aborted === before && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen.aborted).toBe(before + 1);
    expect(stream.messages.map(({ params }) => params!['progress'])).toEqual([1]);
  });
});

describe('a reader that reads', () => {
  it('gets much at once', async () => {
    const answer = await call('burst', {}, { meta: { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' } });
    expect(answer.messages).toHaveLength(2_002);
    expect(textOf(answer)).toBe('all sent');
  });
});

describe('a reader that does not read', () => {
  it('is disconnected before what waits for it fills the memory', async () => {
    const before = seen.aborted;
    const socket = await openSocket(url);
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(rawRequest(url, { method: 'tools/call', params: { name: 'flood' }, meta: { progressToken: 1 } }));
    const deadline = Date.now() + 20_000;
    while (seen.aborted === before && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen.aborted).toBe(before + 1);
    socket.destroy();
  });
});

describe('mirrored arguments', () => {
  const args = { region: 'Köln', place: { floor: 42 }, quiet: true };
  const good = { 'mcp-param-region': '=?base64?S8O2bG4=?=', 'MCP-PARAM-FLOOR': '42.0', 'mcp-param-quiet': 'true' };

  it('are taken when the headers say the same', async () => {
    expect(JSON.parse(textOf(await call('mirrored', args, { headers: good })))).toEqual(args);
    expect(textOf(await call('mirrored', { region: null }, { headers: {} }))).toContain('are not right'); // null is no string, but needs no header
    expect(textOf(await call('mirrored', {}, { headers: { 'mcp-param-unknown': 'x' } }))).toBe('{}');
  });

  it.each([
    ['is missing', { 'mcp-param-region': undefined }],
    ['differs', { 'mcp-param-region': 'Bonn' }],
    ['is broken base64', { 'mcp-param-region': '=?base64?S8O2bG4?=' }],
    ['is another number', { 'MCP-PARAM-FLOOR': '43' }],
    ['is not quite true', { 'mcp-param-quiet': 'True' }],
  ])('are refused when a header %s', async (_how, headers) => {
    expect(errorOf(await call('mirrored', args, { headers: { ...good, ...headers } }))).toBe('-32020 400');
  });

  it('are refused when a header stands for an argument that is not there', async () => {
    expect(errorOf(await call('mirrored', {}, { headers: { 'mcp-param-region': 'x' } }))).toBe('-32020 400');
  });
});

describe('resources', () => {
  const read = (uri: unknown, headers = {}) => send(url, { method: 'resources/read', params: { uri }, headers });

  it('are read as text and bytes, with their caching', async () => {
    expect(resultOf(await read('workshop://sign'))).toMatchObject({
      contents: [{ uri: 'workshop://sign', mimeType: 'text/plain', text: 'Workshop' }],
      ttlMs: 5_000,
      cacheScope: 'public',
    });
    expect(resultOf(await read('workshop://bytes'))).toMatchObject({
      contents: [{ blob: 'AP+A' }],
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it('are read by template', async () => {
    const answer = resultOf(await read('workshop://drawer/left/a%20b/c'));
    expect(answer).toMatchObject({ contents: [{ uri: 'workshop://drawer/left/a%20b/c', text: 'left: a b/c' }] });
  });

  it.each(['workshop://no', 'workshop://drawer/empty/x', 'workshop://drawer//x', 'nonsense', ''])(
    'are not found: %j',
    async (uri) => {
      const answer = await read(uri, { 'mcp-name': uri });
      expect(errorOf(answer)).toBe('-32602 200');
      expect(answer.messages[0]!.error!.data).toEqual({ uri });
    },
  );

  it('never answer with no contents at all', async () => {
    expect(errorOf(await read('workshop://nothing'))).toBe('-32603 200');
  });
});

describe('prompts and completion', () => {
  it('list arguments and take strings', async () => {
    const { prompts } = resultOf(await send(url, { method: 'prompts/list' }));
    expect(prompts.find((prompt: { name: string }) => prompt.name === 'work').arguments).toEqual([
      { name: 'what', required: true },
      { name: 'how', required: false },
    ]);
    const answer = await send(url, {
      method: 'prompts/get',
      params: { name: 'work', arguments: { what: 'paint', how: 'slow' } },
    });
    expect(resultOf(answer)).toMatchObject({
      description: 'Asks for work',
      messages: [{ role: 'user', content: { text: 'Please paint, slow.' } }],
    });
  });

  it.each([
    ['unknown', { name: 'nope' }],
    ['without what it needs', { name: 'work' }],
    ['with a value outside its enum', { name: 'work', arguments: { what: 'x', how: 'y' } }],
    ['with an argument that is no string', { name: 'work', arguments: { what: 5 } }],
  ])('are refused when %s', async (_how, params) => {
    expect(errorOf(await send(url, { method: 'prompts/get', params }))).toBe('-32602 200');
  });

  const complete = (ref: object, name: string, value: string) =>
    send(url, { method: 'completion/complete', params: { ref, argument: { name, value } } });

  it('complete from a handler, 100 at most, and from an enum', async () => {
    const prompt = { type: 'ref/prompt', name: 'work' };
    const { completion } = resultOf(await complete(prompt, 'what', 'x'));
    expect([completion.values.length, completion.total, completion.hasMore]).toEqual([100, 150, true]);
    expect(resultOf(await complete(prompt, 'how', 's'))['completion']).toEqual({
      values: ['slow', 'Sloppy'],
      total: 2,
      hasMore: false,
    });
  });

  it('complete nothing for a variable without a completer, and refuse what does not exist', async () => {
    const template = { type: 'ref/resource', uri: 'workshop://drawer/{drawer}/{+path}' };
    expect(resultOf(await complete(template, 'path', ''))['completion'].values).toEqual([]);
    expect(errorOf(await complete(template, 'nope', ''))).toBe('-32602 200');
    expect(errorOf(await complete({ type: 'ref/prompt', name: 'nope' }, 'x', ''))).toBe('-32602 200');
    expect(errorOf(await complete({ type: 'ref/other' }, 'x', ''))).toBe('-32602 200');
    expect(
      resultOf(await complete({ type: 'ref/resource', uri: 'workshop://sign' }, 'x', ''))['completion'].values,
    ).toEqual([]);
  });
});

describe('discovery', () => {
  it('names versions, capabilities and extensions, with caching', async () => {
    expect(resultOf(await send(url, { method: 'server/discover' }))).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, extensions: {} },
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });
});
