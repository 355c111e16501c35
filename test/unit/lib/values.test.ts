import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { newId, nilId, storedId } from '../../../src/lib/ids.ts';
import { networkOf } from '../../../src/lib/network-of.ts';

describe('identifiers', () => {
  it('are version 7 UUIDs that hold the time of their creation, and sort by it', () => {
    const beforeMs = Date.now();
    const ids = Array.from({ length: 10_000 }, newId);
    for (const id of ids)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(ids, [...new Set(ids)].sort());
    const createdMs = Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16);
    assert.ok(createdMs >= beforeMs && createdMs <= Date.now());
  });

  it('are found in upper case', () => {
    const id = newId();
    assert.equal(storedId(id.toUpperCase()), id);
    assert.equal(storedId(nilId), nilId);
  });

  it('have no other form', () => {
    const id = newId();
    const texts = [
      '',
      'org_0',
      `org_${'0A'.repeat(12)}`,
      `${id}0`,
      ` ${id}`,
      `${id}\n`,
      id.replaceAll('-', ''),
      `{${id}}`,
      '\0',
    ];
    for (const text of texts) assert.equal(storedId(text), undefined, JSON.stringify(text));
  });
});

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
