import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { standingOf } from '../../../src/quota/decide.ts';
import { KnownStandings, type StoredStandings } from '../../../src/quota/known-standings.ts';
import { Ledger } from '../../../src/quota/ledger.ts';
import type { LedgerStore } from '../../../src/quota/ledger-store.ts';
import { askOf } from '../../helpers/asks.ts';

const quota = standingOf({ requests: null, window: 'month' }, undefined, 0);
const limited: StoredStandings = { quota, limits: [] };
const unlimited: StoredStandings = { quota, limits: null };

describe('the known standings', () => {
  test('of an organization whose last limit was removed hold for every key', () => {
    const known = new KnownStandings();
    known.add('org', limited, 1, 'a');
    known.add('org', unlimited, 2, 'b');
    assert.deepEqual(
      ['a', 'b', 'c', null].map((id) => known.get('org', id)?.version),
      [2, 2, 2, 2],
    );
  });

  test('after a flush are those of its keys, because it may have counted in the limits of others', () => {
    const known = new KnownStandings();
    known.add('org', limited, 1, 'a');
    known.replace('org', limited, 1, ['b']);
    assert.equal(known.get('org', 'a'), undefined);
    assert.ok(known.get('org', 'b'));
  });

  test('are those of at most 100 keys of an organization', () => {
    const known = new KnownStandings();
    const ids = Array.from({ length: 250 }, (_, i) => `key ${i}`);
    const remembered = () => ids.filter((id) => known.get('org', id)).length;
    for (const id of ids) {
      known.add('org', limited, 1, id);
      assert.ok(known.get('org', id));
      assert.ok(remembered() <= 100);
    }
    known.replace('org', limited, 1, ids);
    assert.equal(remembered(), 100);
  });

  for (const how of ['read', 'flushed'] as const) {
    test(`are read again if another process flushed while they were ${how}`, async () => {
      let version = 1;
      let reads = 0;
      const overtaken = async <R>(result: R): Promise<R> => {
        if (version === 1) version = 2;
        return result;
      };
      const receipt = { day: 0, monthStartMs: 0, window: null };
      const decided = [{ granted: 1, refusedBy: null }];
      const store: LedgerStore = {
        flush: () => overtaken([{ decided, receipt, standing: quota, limits: null }]),
        standings() {
          reads += 1;
          return overtaken(unlimited);
        },
        version: () => version,
      };
      const ledger = new Ledger(store, { now: () => 0 });
      if (how === 'read') await ledger.readStanding('org');
      else await ledger.reserve('org', askOf('k'));
      const before = reads;
      for (const _ of [1, 2]) await ledger.standing('org');
      assert.equal(reads, before + 1);
    });
  }
});
