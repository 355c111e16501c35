import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairRoom, type Holding, heldBy } from '../../../src/lib/fair-room.ts';

const empty = (): Holding => ({ shared: 0, reserved: 0 });
/** Takes amounts of 1 until one doesn't fit, and returns how many fitted. */
function fill(room: FairRoom, holding: Holding, percent: number): number {
  let taken = 0;
  while (room.take(holding, 1, percent)) taken += 1;
  return taken;
}

// The room has 6,400: 5,600 are shared, and 800 are a reserve that guarantees 12 to each party.
const size = 6_400;

describe('a room that parties share', () => {
  test('a party alone can hold its part of the shared room, and what it is guaranteed', () => {
    const room = new FairRoom(size);
    assert.equal(room.guaranteed, 12);
    assert.equal(room.largest(50), 2_800);
    assert.equal(fill(room, empty(), 50), 2_800 + 12);
    assert.equal(room.held, 2_812);
  });

  test('the first amount of a party can be as large as its part, and not larger', () => {
    const room = new FairRoom(size);
    assert.ok(!room.take(empty(), 2_801, 50));
    assert.ok(room.take(empty(), 2_800, 50));
  });

  test('the first amount of a party may exceed its share of what others leave, if there is room for it', () => {
    const room = new FairRoom(size);
    const flood = empty();
    fill(room, flood, 50);
    assert.ok(room.take(empty(), 2_000, 50));
    assert.ok(!room.take(empty(), 2_000, 50));
  });

  test('a party gets what it is guaranteed when the shared room is full', () => {
    const room = new FairRoom(size);
    room.takeAnyway(empty(), 5_600);
    const late = empty();
    assert.equal(fill(room, late, 50), 12);
    assert.deepEqual(late, { shared: 0, reserved: 12 });
  });

  test('the reserve lasts for 64 parties and more, until it is used up', () => {
    const room = new FairRoom(size);
    room.takeAnyway(empty(), 5_600);
    let guaranteed = 0;
    while (room.take(empty(), 12, 50)) guaranteed += 1;
    assert.equal(guaranteed, Math.floor(800 / 12));
  });

  test('what a party releases goes to the reserve first, so that others can be guaranteed again', () => {
    const room = new FairRoom(size);
    const flood = empty();
    fill(room, flood, 50);
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
    const excess = room.excess(holding, 100, 50);
    assert.equal(excess, 100);
    room.release(holding, excess - 1);
    assert.ok(!room.take(holding, 100, 50));
    room.release(holding, 1);
    assert.ok(room.take(holding, 100, 50));
  });

  test('the room of a size for an amount takes that amount at once', () => {
    for (const amount of [1, 100, 12_345]) {
      assert.ok(new FairRoom(FairRoom.sizeFor(amount, 25)).take(empty(), amount, 25));
    }
  });
});
