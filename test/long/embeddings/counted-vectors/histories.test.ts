import { test } from 'node:test';
import { runHistories } from '../../../faults/counted-vectors/run.ts';
import { firstSeed, historyCount } from '../../../faults/histories/run.ts';

// A few of the histories of test/faults, which run with each engine on each database. HISTORIES_SEED=… and HISTORIES=… choose which.

for (const [database, engine] of [
  ['SQLite', 'built-in model'],
  ['Postgres', 'upstream'],
] as const) {
  test(`no vector can be read that was not counted: ${database}, ${engine}`, async (t) => {
    const seed = firstSeed();
    t.diagnostic(`HISTORIES_SEED=${seed}`);
    await runHistories(database, engine, { seed, count: historyCount(16) });
  });
}
