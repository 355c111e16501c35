import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairOrder } from '../../../src/lib/fair-order.ts';

const party = (id: string, weight = 1) => ({ id, weight, roomPercent: 50 });

/** Serves and charges the next party `times` times, and returns how often each party was served. */
function serve(order: FairOrder, times: number, cost = 1): Record<string, number> {
  const served: Record<string, number> = {};
  for (let i = 0; i < times; i += 1) {
    const [id] = order.next(Number.POSITIVE_INFINITY) as [string];
    order.serve(id);
    order.charge(id, cost);
    served[id] = (served[id] ?? 0) + 1;
  }
  return served;
}

describe('the fair order', () => {
  test('serves parties that wait all the time in proportion to their weights', () => {
    const order = new FairOrder();
    for (const one of [party('a', 1), party('b', 3), party('c', 4)]) order.join(one);
    assert.deepEqual(serve(order, 800), { a: 100, b: 300, c: 400 });
  });

  test('a party that leaves and joins again keeps the debt of what it was served', () => {
    const order = new FairOrder();
    order.join(party('calm'));
    order.join(party('greedy'));
    order.serve('greedy');
    order.charge('greedy', 100);
    order.leave('greedy');
    order.join(party('greedy'));
    assert.deepEqual(serve(order, 100), { calm: 100 });
  });

  test('a party that comes later has no claim to the time before', () => {
    const order = new FairOrder();
    order.join(party('early'));
    serve(order, 100);
    order.join(party('late'));
    const served = serve(order, 100);
    assert.ok(Math.abs(served.early! - served.late!) <= 2, JSON.stringify(served));
  });

  test('if nobody waits any more, all debts are forgotten', () => {
    const order = new FairOrder();
    order.join(party('a'));
    order.charge('a', 100);
    order.leave('a');
    assert.equal(order.parties, 0);
    for (const id of ['a', 'b']) order.join(party(id));
    assert.deepEqual(serve(order, 100), { a: 50, b: 50 });
  });

  test('leaves out parties that are ahead of the next one by more than the lead, by what they were charged', () => {
    const order = new FairOrder();
    for (const one of [party('next', 1), party('light', 1), party('heavy', 8)]) order.join(one);
    order.charge('light', 10);
    // An eighth of it in virtual time.
    order.charge('heavy', 80);
    assert.deepEqual(order.next(9), ['next']);
    assert.deepEqual(order.next(10), ['next', 'light']);
    assert.deepEqual(order.next(79), ['next', 'light']);
    assert.deepEqual(order.next(80), ['next', 'light', 'heavy']);
  });

  test('a new weight applies to what is charged from then on', () => {
    const order = new FairOrder();
    order.join(party('a', 1));
    order.join(party('b', 1));
    order.join(party('a', 3));
    assert.deepEqual(serve(order, 400), { a: 300, b: 100 });
  });
});
