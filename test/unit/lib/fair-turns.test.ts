import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Party } from '../../../src/lib/fair-order.ts';
import { FairTurns } from '../../../src/lib/fair-turns.ts';

const party = (id: string, weight = 1): Party => ({ id, weight, roomPercent: 50 });

/** Queues pieces of work, and returns the parties in the order in which they ran. */
async function orderOf(pieces: readonly [Party, cost: number][], maxRunning = 1): Promise<string[]> {
  const turns = new FairTurns(maxRunning);
  const order: string[] = [];
  await Promise.all(
    pieces.map(([each, cost]) =>
      turns.run(each, cost, async () => {
        order.push(each.id);
      }),
    ),
  );
  return order;
}

describe('fair turns', () => {
  it('let a newcomer go before the waiting work of a flood', async () => {
    const flood = Array.from({ length: 50 }, (): [Party, number] => [party('flood'), 100]);
    const order = await orderOf([...flood, [party('calm'), 100]]);
    // The flood's first piece ran alone, and its second one came before.
    assert.equal(order.indexOf('calm'), 2);
  });

  it('give a newcomer no claim to the time before it came', async () => {
    const turns = new FairTurns(1);
    const order: string[] = [];
    const queue = (id: string, count: number) =>
      Array.from({ length: count }, () =>
        turns.run(party(id), 100, async () => {
          order.push(id);
        }),
      );
    const flood = queue('flood', 50);
    await flood[24];
    const before = order.length;
    await Promise.all([...queue('late', 20), ...flood]);
    const late = order.slice(before, before + 20).filter((id) => id === 'late').length;
    assert.ok(late >= 9 && late <= 11, `${late} of 20`);
  });

  it('alternate by cost and weight', async () => {
    const heavy = Array.from({ length: 30 }, (): [Party, number] => [party('heavy', 4), 10]);
    const light = Array.from({ length: 30 }, (): [Party, number] => [party('light'), 10]);
    const order = await orderOf([...heavy, ...light]);
    const early = order.slice(0, 35).filter((id) => id === 'heavy').length;
    assert.ok(early >= 27 && early <= 29, `${early} of 35`);
  });

  it('run no more at a time than they may, and continue after a failure', async () => {
    const turns = new FairTurns(2);
    let running = 0;
    let most = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        turns.run(party(`${i % 3}`), 1, async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise(setImmediate);
          running -= 1;
          if (i % 5 === 0) throw new Error('failed');
        }),
      ),
    );
    assert.equal(most, 2);
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 4);
  });
});
