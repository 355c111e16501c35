import { test } from 'node:test';
import { databases, engines, runHistories } from '../../../faults/counted-vectors/run.ts';
import { firstSeed, historyCount } from '../../../faults/histories/run.ts';

// A few of the histories of test/faults. HISTORIES_SEED=… and HISTORIES=… choose which.

for (const database of databases) {
  for (const engine of engines) {
    test(`no vector can be read that was not counted: ${database}, ${engine}`, async (t) => {
      const seed = firstSeed();
      t.diagnostic(`HISTORIES_SEED=${seed}`);
      await runHistories(database, engine, { seed, count: historyCount(16) });
    });
  }
}
