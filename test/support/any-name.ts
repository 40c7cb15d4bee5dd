import { Agent, buildConnector, fetch as fetchWith } from 'undici';

/** Has `fetch` reach one server on this machine by every name, with TLS or without, as if DNS and a proxy led there. */
export function reachByAnyName(port: number): AsyncDisposable {
  const connect = buildConnector({});
  const dispatcher = new Agent({
    connect: (options, callback) =>
      connect({ ...options, hostname: '127.0.0.1', port: String(port), protocol: 'http:' }, callback),
  });
  const before = globalThis.fetch;
  globalThis.fetch = ((url: string | URL, init: object = {}) =>
    fetchWith(url, { ...init, dispatcher })) as unknown as typeof fetch;
  return {
    [Symbol.asyncDispose]: async () => {
      globalThis.fetch = before;
      await dispatcher.close();
    },
  };
}
