import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SingleFlight } from '../../../src/embeddings/single-flight.ts';

describe('a single flight', () => {
  it('can be followed from its start until it is settled', async () => {
    const flights = new SingleFlight<number>();
    assert.equal(flights.get('a'), undefined);
    const flight = flights.lead('a');
    const followed = flights.get('a');
    assert.equal(followed, flight);
    assert.equal(flights.get('b'), undefined);
    flight.land(1);
    assert.equal(flights.get('a'), undefined);
    assert.equal(await followed?.outcome, 1);
  });

  it('shares its failure, and needs no follower for that', async () => {
    const flights = new SingleFlight<number>();
    const flight = flights.lead('a');
    flight.fail(new Error('broken'));
    await assert.rejects(flight.outcome, /broken/);
    flights.lead('b').fail(new Error('nobody listens'));
    await new Promise(setImmediate);
    assert.equal(flights.count, 0);
  });

  it('notifies its followers when its leader gives up', async () => {
    const flight = new SingleFlight<number>().lead('a');
    flight.giveUp();
    assert.equal(await flight.outcome, undefined);
  });

  it('is settled once, and leaves the next flight of its key alone', async () => {
    const flights = new SingleFlight<number>();
    const first = flights.lead('a');
    first.land(1);
    const second = flights.lead('a');
    first.giveUp();
    first.fail(new Error('late'));
    assert.equal(await first.outcome, 1);
    assert.equal(flights.get('a'), second);
  });

  it('knows whether it has followers', () => {
    const flight = new SingleFlight<number>().lead('a');
    assert.equal(flight.isFollowed, false);
    flight.follow();
    flight.follow();
    flight.unfollow();
    assert.equal(flight.isFollowed, true);
    flight.unfollow();
    assert.equal(flight.isFollowed, false);
  });
});
