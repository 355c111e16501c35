import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Reservations } from '../../../src/embeddings/reservations.ts';
import type { CachedVector } from '../../../src/embeddings/vector-cache.ts';
import { CountingQuota } from './counting-quota.ts';

const vectorOf = (tokenCount: number): CachedVector => ({ vector: Float32Array.of(1), tokenCount });

/** A reservation of 10 tokens for a text that is in a batch, and the moves that it makes, in order. */
async function started() {
  const quota = new CountingQuota();
  const moves: string[] = [];
  const settle = quota.settle.bind(quota);
  quota.settle = (unit, tokens) => {
    moves.push(`settled at ${tokens}`);
    return settle(unit, tokens);
  };
  const reservations = new Reservations(
    {
      quota,
      cache: { remember: (key) => moves.push(`remembered ${key}`) },
      onGiveBackError: (reason) => moves.push(String(reason)),
    },
    'org',
    { keyId: 'key', limitsKeyId: 'key', model: 'fixture' },
  );
  const reservation = await reservations.reserve(2, 10);
  reservation.start();
  return { reservation, quota, moves };
}

describe('the vectors of a reservation', () => {
  it('enter the cache after their tokens are corrected, also if the client has disconnected meanwhile', async () => {
    const { reservation, moves } = await started();
    reservation.add('a', vectorOf(7), 5);
    await reservation.fail({ isClientGone: true });
    assert.deepEqual(moves, ['settled at 12', 'remembered a']);
    reservation.add('b', vectorOf(25), 5);
    await reservation.keep();
    assert.deepEqual(moves.slice(2), ['settled at 32', 'remembered b']);
  });

  it('never enter the cache if their tokens can’t be corrected', async () => {
    const { reservation, quota, moves } = await started();
    quota.settle = () => Promise.reject(new Error('the store is away'));
    reservation.add('a', vectorOf(7), 5);
    await reservation.keep();
    assert.deepEqual(moves, ['Error: the store is away']);
  });

  it('need no correction if the tokens were known', async () => {
    const { reservation, moves } = await started();
    reservation.add('a', vectorOf(5), 5);
    reservation.add('b', vectorOf(5), 5);
    await reservation.keep();
    assert.deepEqual(moves, ['remembered a', 'remembered b']);
  });
});
