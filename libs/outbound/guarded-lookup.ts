import { isIP, type LookupFunction } from 'node:net';
import type { ResolveName } from './name-resolver.js';

/** The host is at no address that may be reached. Says nothing of the addresses: who asked may be an outsider. */
export class UnreachableHostError extends Error {
  constructor(host: string) {
    super(`The host ${host.slice(0, 255)} is at no address that may be reached.`);
    this.name = 'UnreachableHostError';
  }
}

/**
 * Resolves a name to those of its addresses that may be connected to. The connection is made to what this returns, so
 * that a name that resolves otherwise a moment later changes nothing.
 */
export function guardedLookup(mayReach: (address: string) => boolean, resolve: ResolveName): LookupFunction {
  return (hostname, { family = 0, all }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
    const finish = (found: Awaited<ReturnType<ResolveName>>): void => {
      const addresses = found.filter(
        (one) => isIP(one.address) !== 0 && mayReach(one.address) && (wanted === 0 || one.family === wanted),
      );
      const [first] = addresses;
      if (!first) callback(new UnreachableHostError(hostname), []);
      else if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    resolve(hostname).then(finish, () => finish([]));
  };
}
