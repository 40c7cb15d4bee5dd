import type { AdminCall } from './admin-client.js';

/** A resource whose contents change. */
export const COUNTER = 'changes://counter';

/** An HTTP tool as it is registered. @param origin of the service that it calls; in tests that do not call it, nobody's */
export const numbered = (number: number, origin = 'http://127.0.0.1:9') => ({
  name: nameOf(number),
  kind: 'http_tool',
  definition: { description: `Tool ${number}`, request: { method: 'GET', url: `${origin}/${number}` } },
});

export const nameOf = (number: number): string => `numbered-${number}`;

/** Registers a tool; resolves with its name. @throws Error when it was not registered, as far as is known */
export async function register(call: AdminCall, number: number, origin?: string): Promise<string> {
  const { status, body } = await call('POST', '/tenants/acme/sources', numbered(number, origin));
  if (status !== 201) throw new Error(`It was not registered: ${status} ${JSON.stringify(body)}`);
  return nameOf(number);
}

/** Registers the counter. */
export async function registerCounter(call: AdminCall): Promise<void> {
  const definition = { name: 'counter', uri: COUNTER, text: '1' };
  const { status, body } = await call('POST', '/tenants/acme/sources', {
    name: 'counter',
    kind: 'resource',
    definition,
  });
  if (status !== 201) throw new Error(`It was not registered: ${status} ${JSON.stringify(body)}`);
}

/** Says that the counter has changed. */
export async function touchCounter(call: AdminCall): Promise<void> {
  const { status, body } = await call('POST', '/tenants/acme/resources/notify', { uris: [COUNTER] });
  if (status !== 200) throw new Error(`It was not announced: ${status} ${JSON.stringify(body)}`);
}
