import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../src/config/config.ts';
import { unavailable } from '../../../src/errors.ts';
import { Hold } from '../../../src/load/hold.ts';
import { Load } from '../../../src/load/load.ts';

/** Longer than a lookup waits before it takes another one's failure for its own. */
const patienceMs = 300;

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
    const cut = Promise.withResolvers<never>();
    const lookUp = (name: string) =>
      code(
        new Hold(load).lookUp('192.0.2.1', () => {
          tried.push(name);
          return cut.promise;
        }),
      );
    const early = [lookUp('first'), lookUp('second'), lookUp('third')];
    await setTimeout(patienceMs);
    // It has hardly waited when the first one fails, so it tries for itself.
    const late = lookUp('late');
    cut.reject(unavailable(new Error('cut')));
    assert.deepEqual(await Promise.all([...early, late]), Array(4).fill('unavailable'));
    assert.deepEqual(tried, ['first', 'late']);
  });

  test('are tried if the database is unavailable for one of another network', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const end = Promise.withResolvers<void>();
    const running = new Hold(load).lookUp('192.0.2.1', () => end.promise);
    const waiting = code(new Hold(load).lookUp('192.0.2.1', async () => 'a key'));
    const failed = unavailable(new Error('cut'));
    const other = new Hold(load).lookUp('198.51.100.1', () => failAfter(patienceMs, failed));
    assert.equal(await code(other), 'unavailable');
    end.resolve();
    await running;
    assert.equal(await waiting, 'found');
  });

  test('are tried if one fails for another reason', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const failing = code(
      new Hold(load).lookUp('192.0.2.1', () => failAfter(patienceMs, new Error('its own'))),
    );
    const other = code(new Hold(load).lookUp('192.0.2.1', async () => 'a key'));
    assert.deepEqual(await Promise.all([failing, other]), ['its own', 'found']);
  });
});
