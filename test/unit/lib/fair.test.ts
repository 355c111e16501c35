import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { FairOrder, type Sharer } from '../../../src/lib/fair-order.ts';
import { FairRoom, type Holding, heldBy } from '../../../src/lib/fair-room.ts';
import { FairTurns } from '../../../src/lib/fair-turns.ts';

const party = (id: string, weight = 1) => ({ id, weight });

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
    assert.equal(order.first(), undefined);
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

const empty = (): Holding => ({ shared: 0, reserved: 0 });
/** Takes amounts of 1 until one doesn't fit, and returns how many fitted. */
function fill(room: FairRoom, holding: Holding): number {
  let taken = 0;
  while (room.take(holding, 1)) taken += 1;
  return taken;
}

// The room has 6,400: 5,600 are shared, and 800 are a reserve that guarantees 12 to each party.
const size = 6_400;

describe('a room that parties share', () => {
  test('a party alone can hold its part of the shared room, and what it is guaranteed', () => {
    const room = new FairRoom(size);
    assert.equal(room.guaranteed, 12);
    assert.equal(room.largest, 2_800);
    assert.equal(fill(room, empty()), 2_800 + 12);
    assert.equal(room.held, 2_812);
  });

  test('the first amount of a party can be as large as its part, and not larger', () => {
    const room = new FairRoom(size);
    assert.ok(!room.take(empty(), 2_801));
    assert.ok(room.take(empty(), 2_800));
  });

  test('the first amount of a party may exceed its share of what others leave, if there is room for it', () => {
    const room = new FairRoom(size);
    const flood = empty();
    fill(room, flood);
    assert.ok(room.take(empty(), 2_000));
    assert.ok(!room.take(empty(), 2_000));
  });

  test('a party gets what it is guaranteed when the shared room is full', () => {
    const room = new FairRoom(size);
    room.takeAnyway(empty(), 5_600);
    const late = empty();
    assert.equal(fill(room, late), 12);
    assert.deepEqual(late, { shared: 0, reserved: 12 });
  });

  test('the reserve lasts for 64 parties and more, until it is used up', () => {
    const room = new FairRoom(size);
    room.takeAnyway(empty(), 5_600);
    let guaranteed = 0;
    while (room.take(empty(), 12)) guaranteed += 1;
    assert.equal(guaranteed, Math.floor(800 / 12));
  });

  test('what a party releases goes to the reserve first, so that others can be guaranteed again', () => {
    const room = new FairRoom(size);
    const flood = empty();
    fill(room, flood);
    assert.deepEqual(flood, { shared: 2_800, reserved: 12 });
    room.release(flood, 5);
    assert.deepEqual(flood, { shared: 2_800, reserved: 7 });
    room.release(flood, 10);
    assert.deepEqual(flood, { shared: 2_797, reserved: 0 });
    room.release(flood, heldBy(flood));
    assert.equal(room.held, 0);
  });

  test('reports how much a party has to release before an amount fits', () => {
    const room = new FairRoom(size);
    const holding = empty();
    room.takeAnyway(holding, 2_800);
    const excess = room.excess(holding, 100);
    assert.equal(excess, 100);
    room.release(holding, excess - 1);
    assert.ok(!room.take(holding, 100));
    room.release(holding, 1);
    assert.ok(room.take(holding, 100));
  });

  test('the room of a size for an amount takes that amount at once', () => {
    for (const amount of [1, 100, 12_345]) {
      assert.ok(new FairRoom(FairRoom.sizeFor(amount)).take(empty(), amount));
    }
  });
});

/** Queues pieces of work, and returns the parties in the order in which they ran. */
async function orderOf(pieces: readonly [Sharer, cost: number][], maxRunning = 1): Promise<string[]> {
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
    const flood = Array.from({ length: 50 }, (): [Sharer, number] => [party('flood'), 100]);
    const order = await orderOf([...flood, [party('calm'), 100]]);
    // Behind the piece that was running when it came.
    assert.equal(order.indexOf('calm'), 1);
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
    const heavy = Array.from({ length: 30 }, (): [Sharer, number] => [party('heavy', 4), 10]);
    const light = Array.from({ length: 30 }, (): [Sharer, number] => [party('light'), 10]);
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

  it('begin as many of each party as they may, and let others go ahead of those that wait', async () => {
    const turns = new FairTurns(Number.POSITIVE_INFINITY, 2);
    const begun: string[] = [];
    const take = (id: string) => {
      const turn = turns.take(party(id));
      void turn.begun.then(() => begun.push(id));
      return turn;
    };
    const [first, , third] = ['a', 'a', 'a', 'b'].map(take);
    await new Promise(setImmediate);
    assert.deepEqual(begun, ['a', 'a', 'b']);
    first!.end();
    await third!.begun;
    assert.equal(turns.running('a'), 2);
  });

  it('forget a turn that leaves the line before it begins', async () => {
    const turns = new FairTurns(1);
    const [running, left, next] = ['a', 'b', 'c'].map((id) => turns.take(party(id)));
    void left!.begun.then(() => assert.fail('the turn began'));
    left!.end();
    running!.end();
    await next!.begun;
    next!.end();
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => turns.running(id)),
      [0, 0, 0],
    );
  });
});
