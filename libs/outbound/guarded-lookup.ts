import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

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
export function guardedLookup(mayReach: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = error ? [] : found.filter(({ address }) => isIP(address) !== 0 && mayReach(address));
      const [first] = addresses;
      if (error) callback(error, []);
      else if (!first) callback(new UnreachableHostError(hostname), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
