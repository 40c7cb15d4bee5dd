import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** How long a name server may take, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** How long somebody waits for the system's look-up, turn and all, in milliseconds. */
const SYSTEM_TIMEOUT_MS = 3_000;
/** How many may wait for their turn. */
const MAX_WAITING = 50;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The addresses of a name; none when it has none, or nobody answers in time. */
export type ResolveName = (name: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Asks the name servers itself, without a thread of the pool: names come from outsiders, and one whose name server never
 * answers must not hold up what else needs a name. The system's own look-up, which knows hosts files and search domains
 * and cannot be stopped, is asked when nothing was found and the operator has names of that kind, one at a time.
 */
export function nameResolver(asksSystem: boolean, resolver = serversOfTheMachine()): ResolveName {
  const system = oneAtATime(async (name) =>
    (await lookup(name, { all: true })).map(({ address }) => asResolved(address)),
  );
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    if (addresses.length > 0 || !asksSystem) return addresses.map(asResolved);
    return system(name);
  };
}

function serversOfTheMachine(): Resolver {
  return new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
}

function oneAtATime(resolve: ResolveName): ResolveName {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (name) => {
    if (waiting >= MAX_WAITING) return Promise.resolve([]);
    waiting += 1;
    const turn = last.then(() => resolve(name)).catch((): readonly ResolvedAddress[] => []);
    last = turn.finally(() => (waiting -= 1));
    return Promise.race([turn, nothingAfter(SYSTEM_TIMEOUT_MS)]);
  };
}

function nothingAfter(milliseconds: number): Promise<readonly ResolvedAddress[]> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, []).unref());
}

function asResolved(address: string): ResolvedAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}
