import { test } from 'node:test';
import { firstSeed, historyCount, runHistories } from '../../../faults/histories/run.ts';

// A few of the histories of test/faults. HISTORIES_SEED=… and HISTORIES=… choose which.

for (const database of ['SQLite', 'Postgres'] as const) {
  test(`all figures of random histories agree on ${database}`, async (t) => {
    const seed = firstSeed();
    t.diagnostic(`HISTORIES_SEED=${seed}`);
    await runHistories(database, seed, historyCount(6));
  });
}
