import assert from 'node:assert/strict';
import type { LookupFunction } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { lookupInTurn } from '../../../../src/alerts/channel-kinds/public-address.ts';

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
