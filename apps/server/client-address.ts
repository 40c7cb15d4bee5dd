import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * The address of the client, as told by the proxies that are trusted: the last one in `X-Forwarded-For` that none of them
 * is. Without proxies, the address of the connection.
 * @throws Error when a proxy is no address or network
 */
export function clientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, isTrusted);
}
