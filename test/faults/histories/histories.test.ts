import { describe, test } from 'node:test';
import { firstSeed, historyCount, runHistories } from './run.ts';

/** Histories per test. One takes a second or two, and a test has four minutes. */
const perTest = 25;

for (const database of ['SQLite', 'Postgres'] as const) {
  describe(`all figures of random histories agree on ${database}`, () => {
    const seed = firstSeed();
    const count = historyCount(1_000);
    for (let from = 0; from < count; from += perTest) {
      test(`HISTORIES_SEED=${seed + from}`, () =>
        runHistories(database, seed + from, Math.min(perTest, count - from)));
    }
  });
}
