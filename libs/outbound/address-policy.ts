import { BlockList, isIP, SocketAddress } from 'node:net';

/** Special-use addresses (IANA registries of IPv4 and IPv6): nothing that an outsider names is there for us to call. */
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];
/** The one block of IPv6 that addresses of the Internet are from. */
const GLOBAL_IPV6 = '2000::/3';
const MAPPED = '::ffff:0:0/96';
/** NAT64: the last 32 bits are an IPv4 address that is reached by it. */
const TRANSLATED = '64:ff9b::/96';

/** Which addresses may be connected to. */
export interface AddressPolicy {
  /** Whether the operator named the network of this address. */
  isNamed(address: string): boolean;
  /** Whether it is public, or the operator named its network. */
  isReachable(address: string): boolean;
}

/**
 * @param networks addresses and networks in CIDR notation that may be reached although they are not public
 * @throws Error when one of them is malformed
 */
export function addressPolicy(networks: readonly string[]): AddressPolicy {
  const named = listOf(networks);
  const isNamed = (address: string): boolean => contains(named, plain(address));
  return { isNamed, isReachable: (address) => isNamed(address) || isPublic(plain(address)) };
}

const special = listOf(SPECIAL);
const global = listOf([GLOBAL_IPV6]);
const embedding = listOf([MAPPED, TRANSLATED]);

function isPublic(address: string): boolean {
  if (contains(special, address)) return false;
  return isIP(address) === 4 || contains(global, address);
}

/** The IPv4 address inside of an IPv6 one that only wraps it; every other as it is. */
function plain(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const short = new SocketAddress({ address, family: 'ipv6' }).address;
  if (short.startsWith('::ffff:') && short.includes('.')) return short.slice('::ffff:'.length);
  if (!embedding.check(short, 'ipv6')) return short;
  const [high = 0, low = 0] = short
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group === '' ? '0' : group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function contains(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length, ...rest] = network.split('/');
    const version = isIP(address);
    const bits = length === undefined ? (version === 4 ? 32 : 128) : Number(length);
    if (version === 0 || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) {
      throw new Error(`"${network}" is no address or network such as 10.0.0.0/8.`);
    }
    list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
