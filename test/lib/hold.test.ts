import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../src/config/config.ts';
import { unavailable } from '../../src/errors.ts';
import { Hold } from '../../src/load/hold.ts';
import { Load } from '../../src/load/load.ts';

describe('lookups that wait for their turn', () => {
  const { bounds, tiers } = readConfig({});
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'found',
      (reason) => reason.code ?? reason.message,
    );
  const failAfter = async (ms: number, reason: Error) => {
    await setTimeout(ms);
    throw reason;
  };

  test('fail too if the database becomes unavailable for one that runs meanwhile', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const tried: string[] = [];
    const lookUp = (name: string, ms: number) =>
      code(
        new Hold(load).lookUp('192.0.2.1', () => {
          tried.push(name);
          return failAfter(ms, unavailable(new Error('cut')));
        }),
      );
    const early = [lookUp('first', 400), lookUp('second', 400), lookUp('third', 400)];
    await setTimeout(300);
    // It has hardly waited when the first one fails, so it tries for itself.
    const late = lookUp('late', 1);
    assert.deepEqual(await Promise.all([...early, late]), Array(4).fill('unavailable'));
    assert.deepEqual(tried, ['first', 'late']);
  });

  test('are tried if the database is unavailable for one of another network', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const running = new Hold(load).lookUp('192.0.2.1', () => setTimeout(400));
    const waiting = code(new Hold(load).lookUp('192.0.2.1', async () => 'a key'));
    const other = new Hold(load).lookUp('198.51.100.1', () => failAfter(300, unavailable(new Error('cut'))));
    assert.equal(await code(other), 'unavailable');
    await running;
    assert.equal(await waiting, 'found');
  });

  test('are tried if one fails for another reason', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const failing = code(new Hold(load).lookUp('192.0.2.1', () => failAfter(300, new Error('its own'))));
    const other = code(new Hold(load).lookUp('192.0.2.1', async () => 'a key'));
    assert.deepEqual(await Promise.all([failing, other]), ['its own', 'found']);
  });
});
