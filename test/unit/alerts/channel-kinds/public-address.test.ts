import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  isPublicAddress,
  lookupInTurn,
  publicLookup,
} from '../../../../src/alerts/channel-kinds/public-address.ts';

describe('addresses for notices', () => {
  const refused = {
    'this host': ['0.0.0.0', '127.0.0.1', '127.255.255.255', '::', '::1'],
    'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1'],
    'link-local, where clouds keep their metadata': ['169.254.169.254', 'fe80::1', 'fd00:ec2::254'],
    'what only a cloud routes': [
      '168.63.129.16',
      '161.26.0.10',
      '166.9.48.1',
      '192.0.0.192',
      '100.100.100.200',
    ],
    'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
    'multicast, broadcast and what is reserved': ['224.0.0.1', '240.0.0.1', '255.255.255.255', 'ff02::1'],
    'documentation and benchmarks': ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1'],
    'IPv4 in the form of IPv6': [
      ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1'],
      ...['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
    ],
    'no address at all': ['', 'localhost', '127.1', '0x7f.0.0.1'],
  };
  for (const [what, addresses] of Object.entries(refused)) {
    test(`exclude ${what}`, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
    });
  }

  test('include those that the internet routes', () => {
    const addresses = ['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1'];
    for (const address of [...addresses, '192.0.1.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1']) {
      assert.equal(isPublicAddress(address), true, address);
    }
  });

  describe('a webhook’s host name', () => {
    const lookedUp = async (addresses: readonly string[], all: boolean) => {
      let asked = 0;
      const resolve = ((_name: string, _options: object, done: (...answer: unknown[]) => void) => {
        asked += 1;
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      }) as unknown as typeof lookup;
      const look = promisify(publicLookup(resolve));
      const answer = await look('hooks.example.com', { all });
      assert.equal(asked, 1);
      return answer;
    };

    test('is connected to at the very addresses that were looked up', async () => {
      const found = await lookedUp(['8.8.8.8', '2606:4700::1111'], true);
      assert.deepEqual(found, [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ]);
      assert.equal(await lookedUp(['8.8.8.8'], false), '8.8.8.8');
    });

    test('is refused when one of its addresses is private, or when it has none', async () => {
      for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:10.0.0.1']]) {
        await assert.rejects(lookedUp(addresses, true), { name: 'UnusableNameError' });
      }
      await assert.rejects(lookedUp([], true), /does not lead to a public address/);
    });
  });
});

test('names are looked up two at a time, in order, and each gets its own address', async () => {
  const asked: string[] = [];
  const responses: (() => void)[] = [];
  const resolve: LookupFunction = (name, _options, done) => {
    asked.push(name);
    responses.push(() => done(null, `address of ${name}`, 4));
  };
  const found: string[] = [];
  const look = lookupInTurn(resolve);
  for (const name of ['first', 'second', 'third', 'fourth']) {
    look(name, {}, (_reason, address) => found.push(String(address)));
  }
  assert.deepEqual(asked, ['first', 'second']);
  responses[1]?.();
  await setImmediate();
  assert.deepEqual([asked, found], [['first', 'second', 'third'], ['address of second']]);
  responses[2]?.();
  await setImmediate();
  for (const index of [0, 3]) responses[index]?.();
  await setImmediate();
  assert.deepEqual(asked, ['first', 'second', 'third', 'fourth']);
  assert.deepEqual(
    found,
    ['second', 'third', 'first', 'fourth'].map((name) => `address of ${name}`),
  );
});
