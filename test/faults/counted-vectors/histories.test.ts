import { test } from 'node:test';
import { firstSeed, historyCount } from '../histories/run.ts';
import { databases, engines, runHistories } from './run.ts';

for (const database of databases) {
  for (const engine of engines) {
    const seed = firstSeed();
    test(`no vector can be read that was not counted: ${database}, ${engine}, HISTORIES_SEED=${seed}`, () =>
      runHistories(database, engine, { seed, count: historyCount(10_000) }));
  }
}
