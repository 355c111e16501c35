import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../../../src/lib/network-of.ts';

const networks: Record<string, string> = {
  '192.0.2.1': '192.0.2.1',
  '::ffff:192.0.2.1': '192.0.2.1',
  '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
  '2001:DB8:1:2::6': '2001:db8:1:2::/64',
  '2001:0db8:0001:0002:ffff::': '2001:db8:1:2::/64',
  '2001:db8::1': '2001:db8:0:0::/64',
  '::1': '0:0:0:0::/64',
  '::': '0:0:0:0::/64',
  'fe80::1%eth0': 'fe80:0:0:0::/64',
  '64:ff9b::192.0.2.33': '64:ff9b:0:0::/64',
  '1:2:3:4:5:6:7::': '1:2:3:4::/64',
  '::3:4:5:6:7:8': '0:0:3:4::/64',
  'not an address': 'not an address',
  '': '',
};

test('the client of a connection that was reset is unknown', () => {
  assert.equal(networkOf(undefined), 'unknown');
});

for (const [address, network] of Object.entries(networks)) {
  test(`the client at "${address}" is "${network}"`, () => assert.equal(networkOf(address), network));
}
