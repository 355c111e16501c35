import { test } from 'node:test';
import { runHistories as runVectorHistories } from '../../faults/counted-vectors/run.ts';
import { firstSeed, historyCount, runHistories } from '../../faults/histories/run.ts';

// A few of the histories of test/faults. HISTORIES_SEED=… and HISTORIES=… choose which.

for (const [database, engine] of [
  ['SQLite', 'built-in model'],
  ['Postgres', 'upstream'],
] as const) {
  const seed = firstSeed();
  test(`all figures of random histories agree on ${database}, HISTORIES_SEED=${seed}`, () =>
    runHistories(database, seed, historyCount(6)));
  test(`no vector can be read that was not counted: ${database}, ${engine}, HISTORIES_SEED=${seed}`, () =>
    runVectorHistories(database, engine, { seed, count: historyCount(16) }));
}
