import { describe, expect, it } from '@jest/globals';
import { addressPolicy } from './address-policy.js';

const closed = addressPolicy([]);

describe('addresses', () => {
  it.each(['8.8.8.8', '93.184.215.14', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808', '172.32.0.1'])(
    '%s is public',
    (address) => {
      expect(closed.isReachable(address)).toBe(true);
      expect(closed.isNamed(address)).toBe(false);
    },
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'fec0::1',
    'ff02::1',
    '64:ff9b::1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    'nonsense',
    '',
    '127.1',
  ])('%s is not', (address) => {
    expect(closed.isReachable(address)).toBe(false);
  });

  it('may be named by the operator, in whatever notation they come', () => {
    const policy = addressPolicy(['10.0.0.0/8', 'fd00::/8', '192.168.1.7']);
    for (const address of ['10.1.1.1', '::ffff:10.1.1.1', '64:ff9b::a01:101', 'fd00::5', '192.168.1.7']) {
      expect([address, policy.isNamed(address)]).toEqual([address, true]);
    }
    for (const address of ['192.168.1.8', '127.0.0.1', 'fe80::1']) expect(policy.isReachable(address)).toBe(false);
  });
});
