import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestPassword, withSender } from '../../../src/users/passwords.ts';

const password = 'a password to digest';
const from = (network: string, isKnown = false): Promise<string> =>
  withSender({ network, isKnown }, () => digestPassword(password));

test('networks take turns with passwords, and known browsers wait for none of them', async () => {
  const order: string[] = [];
  const digest = (name: string, network: string, isKnown = false) =>
    from(network, isKnown).then(() => order.push(name));
  await Promise.all([
    ...Array.from({ length: 6 }, (_, i) => digest(`flood ${i}`, '192.0.2.1')),
    digest('another network', '192.0.2.2'),
    digest('known browser', '192.0.2.1', true),
  ]);
  assert.ok(order.indexOf('another network') <= 3, order.join());
  // In its network's turn, it would come last.
  assert.ok(order.indexOf('known browser') < order.indexOf('flood 5'), order.join());
});

test('a network has at most eight passwords waiting, and the others can still send theirs', async () => {
  const flood = await Promise.allSettled([
    ...Array.from({ length: 12 }, () => from('192.0.2.1')),
    from('192.0.2.2'),
  ]);
  const refused = flood.filter((each) => each.status === 'rejected');
  assert.equal(refused.length, 4);
  for (const { reason } of refused) assert.equal(reason.code, 'overloaded');
  assert.equal(flood.at(-1)!.status, 'fulfilled');
});
