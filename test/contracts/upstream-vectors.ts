import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Stores } from '../../src/service/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import type { OpenStores } from './stores.ts';

/** What every database guarantees about the vectors of upstreams. `prepare`: as for alerts. */
export function upstreamVectorsContract(name: string, prepare: () => Promise<OpenStores>): void {
  describe(`the vectors of upstreams on ${name}`, () => {
    let [here, there]: Stores[] = [];
    before(async () => {
      const open = await prepare();
      const clock = new TestClock('2026-11-21T03:00:00Z');
      here = await open(clock);
      there = await open(clock);
    });
    after(() => Promise.all([here!.close(), there!.close()]));

    it('are those that the first of all replicas has stored', async () => {
      const [first, second] = [Uint8Array.of(0, 1, 255), Uint8Array.of(4)];
      const keep = async (stores: Stores, fingerprint: string, vectors: Uint8Array) =>
        Uint8Array.from(await stores.upstreamVectors.keep(fingerprint, vectors));
      assert.deepEqual(await keep(here!, 'one', first), first);
      assert.deepEqual(await keep(there!, 'one', second), first);
      assert.deepEqual(await keep(there!, 'two', second), second);
    });
  });
}
