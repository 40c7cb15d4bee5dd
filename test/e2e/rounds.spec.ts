import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { databaseEngines } from '../support/databases.js';
import { seen, WorkshopModule } from '../support/modules/workshop.module.js';
import { openTenant, runServer, type RunningServer } from '../support/running-server.js';
import { errorOf, resultOf, send, type Answer } from '../support/wire.js';

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const engines = await databaseEngines();

describe.each(engines)('multi round-trip requests on $name', (engine) => {
  const place = engine.empty();
  let running: RunningServer;
  let url: string;

  beforeAll(async () => {
    running = await runServer({
      modules: [WorkshopModule],
      tenants: [openTenant('workshop', 'workshop'), openTenant('other', 'workshop')],
      environment: { MAX_ROUNDS: '4' },
      database: place.value,
    });
    url = running.url('workshop');
  });

  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await place.dispose();
  });

  beforeEach(() => {
    Object.assign(seen, { steps: 0, runs: 0, finallyRan: 0 });
  });

  function call(name: string, more: object = {}, where = url): Promise<Answer> {
    return send(where, { method: 'tools/call', params: { name, ...more }, capabilities: CAPABILITIES });
  }

  const accept = (content: object) => ({ action: 'accept', content });

  async function firstRound(): Promise<string> {
    const asked = resultOf(await call('interview'));
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?' } } },
    });
    expect(asked).not.toHaveProperty('ttlMs');
    return asked['requestState'];
  }

  async function secondRound(): Promise<string> {
    const requestState = await firstRound();
    const asked = resultOf(
      await call('interview', { requestState, inputResponses: { name: accept({ name: 'Ada' }) } }),
    );
    expect(Object.keys(asked['inputRequests'])).toEqual(['age']);
    return asked['requestState'];
  }

  it('asks, asks again, and answers; steps run once, finally blocks each time', async () => {
    const requestState = await secondRound();
    const done = resultOf(await call('interview', { requestState, inputResponses: { age: accept({ age: 36 }) } }));
    expect(done['structuredContent']).toEqual({ name: 'Ada', age: 36, ticket: 'ticket 1' });
    expect(seen).toMatchObject({ steps: 1, runs: 3, finallyRan: 3 });
  });

  it('gives a repeat of the last round its stored outcome, also when both come at once', async () => {
    const requestState = await secondRound();
    const retry = { requestState, inputResponses: { age: accept({ age: 36 }) } };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => call('interview', retry)));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(seen.runs).toBe(3);
    const late = await call('interview', { requestState, inputResponses: { age: accept({ age: 99 }) } });
    expect(resultOf(late)['structuredContent'].age).toBe(36);
  });

  it('gives a repeat of an earlier round the question that it was answered with', async () => {
    const requestState = await firstRound();
    const retry = { requestState, inputResponses: { name: accept({ name: 'Ada' }) } };
    const first = resultOf(await call('interview', retry));
    expect(resultOf(await call('interview', retry))).toEqual(first);
  });

  it('refuses state that was changed, is of another tenant, tool or arguments, or is nonsense', async () => {
    const requestState = await firstRound();
    const inputResponses = { name: accept({ name: 'Ada' }) };
    for (const state of [
      `${requestState}-TAMPERED`,
      requestState.slice(0, -2),
      requestState.replace('.', '.A'),
      '',
      'x',
      `00000000.${'A'.repeat(60)}`,
    ]) {
      expect(errorOf(await call('interview', { requestState: state, inputResponses }))).toBe('-32602 200');
    }
    expect(errorOf(await call('interview', { requestState, inputResponses }, running.url('other')))).toBe('-32602 200');
    expect(errorOf(await call('swallow', { requestState, inputResponses }))).toBe('-32602 200');
    expect(resultOf(await call('interview', { requestState, inputResponses }))).toMatchObject({
      resultType: 'input_required',
    });
  });

  it('is bound to the arguments, whatever their order', async () => {
    const { requestState } = resultOf(await call('page', { arguments: { b: 1, a: { d: 2, c: 3 } } }));
    const retry = { requestState, inputResponses: { page: { action: 'accept' } } };
    expect(errorOf(await call('page', { arguments: { b: 2, a: { d: 2, c: 3 } }, ...retry }))).toBe('-32602 200');
    const done = await call('page', { arguments: { a: { c: 3, d: 2 }, b: 1 }, ...retry });
    expect(resultOf(done)['content'][0].text).toBe('accept');
  });

  it('asks again for what is missing or wrong, and says what was wrong', async () => {
    const requestState = await firstRound();
    const missing = resultOf(await call('interview', { requestState, inputResponses: { other: accept({}) } }));
    expect(Object.keys(missing['inputRequests'])).toEqual(['name']);
    const wrong = resultOf(
      await call('interview', {
        requestState: missing['requestState'],
        inputResponses: { name: accept({ name: '' }) },
      }),
    );
    expect(wrong['inputRequests'].name.params.message).toMatch(/^Your name\?\n\nThat was not right: name/);
  });

  it('takes answers that come without state, and leaves out what it did not ask', async () => {
    const inputResponses = { name: accept({ name: 'Ada' }), age: accept({ age: 3 }), more: accept({ x: 1 }) };
    expect(resultOf(await call('interview', { inputResponses }))['structuredContent']).toMatchObject({
      name: 'Ada',
      age: 3,
    });
  });

  it('goes on when the user declines', async () => {
    const requestState = await firstRound();
    const declined = resultOf(
      await call('interview', { requestState, inputResponses: { name: { action: 'decline' } } }),
    );
    expect(declined).toMatchObject({ resultType: 'complete', isError: true, content: [{ text: 'Then not.' }] });
  });

  it('asks several things of different kinds in one round', async () => {
    const asked = resultOf(await call('survey'));
    expect(
      Object.entries(asked['inputRequests']).map(([key, request]) => [key, (request as { method: string }).method]),
    ).toEqual([
      ['form', 'elicitation/create'],
      ['model', 'sampling/createMessage'],
      ['roots', 'roots/list'],
    ]);
    const inputResponses = {
      form: accept({ name: 'Ada' }),
      model: { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm-1' },
      roots: { roots: [{ uri: 'file:///a' }] },
    };
    const done = await call('survey', { requestState: asked['requestState'], inputResponses });
    expect(resultOf(done)['content'][0].text).toBe('accept m-1 1');
  });

  it('sends a page to open', async () => {
    const asked = resultOf(await call('page'));
    expect(asked['inputRequests'].page).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Please sign', url: 'https://example.com/sign' },
    });
  });

  it('never asks what the client cannot answer', async () => {
    const answer = async (name: string, capabilities: object) =>
      send(url, { method: 'tools/call', params: { name }, capabilities });
    const refused = await answer('interview', { sampling: {} });
    expect(errorOf(refused)).toBe('-32021 400');
    expect(refused.messages[0]).toMatchObject({
      id: 1,
      error: { data: { requiredCapabilities: { elicitation: { form: {} } } } },
    });
    expect(errorOf(await answer('interview', { elicitation: { url: {} } }))).toBe('-32021 400');
    expect(errorOf(await answer('page', { elicitation: {} }))).toBe('-32021 400');
    expect(resultOf(await answer('interview', { elicitation: {} }))).toMatchObject({ resultType: 'input_required' });
  });

  it('comes to an end when a handler asks without one', async () => {
    let requestState: string | undefined;
    let answer = await call('endless');
    for (let round = 0; resultOf(answer)['resultType'] === 'input_required' && round < 10; round += 1) {
      requestState = resultOf(answer)['requestState'];
      answer = await call('endless', { requestState, inputResponses: { [`q${round}`]: accept({ name: 'x' }) } });
    }
    expect(resultOf(answer)).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('4 times') }] });
  });

  it('asks although the handler swallows what ends the round, or forgets to wait', async () => {
    expect(resultOf(await call('swallow'))).toMatchObject({ resultType: 'input_required' });
    expect(resultOf(await call('forget'))).toMatchObject({ resultType: 'input_required' });
  });

  it('keeps the outcome of a round whose client went away, for a repeat', async () => {
    const { requestState } = resultOf(await call('fragile'));
    const retry = { requestState, inputResponses: { name: accept({ name: 'Ada' }) } };
    const params = { name: 'fragile', ...retry };
    const gone = send(url, {
      method: 'tools/call',
      params,
      capabilities: CAPABILITIES,
      signal: AbortSignal.timeout(100),
    });
    await expect(gone).rejects.toThrow();
    const repeat = await call('fragile', retry);
    expect(resultOf(repeat)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('client went away') }],
    });
    expect((await call('fragile', retry)).text).toBe(repeat.text);
    expect(seen.runs).toBe(1);
  });

  it('runs every step once, also one that stands beside a question', async () => {
    let answer = await call('busy');
    const inputResponses = { name: accept({ name: 'Ada' }) };
    answer = await call('busy', { requestState: resultOf(answer)['requestState'], inputResponses });
    expect(resultOf(answer)['content'][0].text).toBe('3 steps');
    expect(seen.steps).toBe(3);
  });

  it('gives a round back when the client lacked a capability', async () => {
    const { requestState } = resultOf(await call('demanding'));
    const params = { name: 'demanding', requestState, inputResponses: { name: accept({ name: 'Ada' }) } };
    const poor = await send(url, { method: 'tools/call', params, capabilities: { elicitation: {} } });
    expect(errorOf(poor)).toBe('-32021 400');
    const asked = resultOf(await send(url, { method: 'tools/call', params, capabilities: CAPABILITIES }));
    const last = { requestState: asked['requestState'], inputResponses: { roots: { roots: [] } } };
    expect(resultOf(await call('demanding', last))['content'][0].text).toBe('0 roots, 1 steps');
  });

  it('tells numbers apart that JSON text can write and JavaScript cannot', async () => {
    const ask = (body: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'guarded',
        },
        body,
      });
    expect((await ask('{"jsonrpc":"2.0","id":1e400,"method":"tools/call"}')).status).toBe(400);
    const { canonicalJson } = await import('#invocation/rounds/canonical-json.js');
    const digests = ['{"v":null}', '{"v":1e400}', '{"v":-1e400}', '{"v":0}', '{"v":-0}'].map((text) =>
      canonicalJson(JSON.parse(text)),
    );
    expect(new Set(digests).size).toBe(5);
  });

  it('works for resources and prompts, whose retries must not be cached', async () => {
    for (const [method, params] of [
      ['resources/read', { uri: 'workshop://asks' }],
      ['prompts/get', { name: 'asking' }],
    ] as const) {
      const asked = resultOf(await send(url, { method, params, capabilities: CAPABILITIES }));
      const retry = {
        ...params,
        requestState: asked['requestState'],
        inputResponses: { name: accept({ name: 'Ada' }) },
      };
      const done = resultOf(await send(url, { method, params: retry, capabilities: CAPABILITIES }));
      expect(done['resultType']).toBe('complete');
      if (method === 'resources/read')
        expect(done).toMatchObject({ contents: [{ text: 'for Ada' }], ttlMs: 0, cacheScope: 'private' });
    }
  });

  it.each([null, 5, [], { name: 12345 }, { name: null }])(
    'refuses responses that are malformed: %j',
    async (inputResponses) => {
      expect(errorOf(await call('interview', { inputResponses }))).toBe('-32602 200');
    },
  );
});
