import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../src/lib/clock.ts';
import { Ledger } from '../src/quota/ledger.ts';
import { openSqliteStores } from '../src/service/sqlite/open.ts';
import { askOf } from '../test/helpers/asks.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { type Benchmark, type Measurement, median, organizationOf, rounded } from './benchmark.ts';

const waiting = 256;
const rounds = 5;
const durationMs = 1_500;

export const quotaDecisions: Benchmark = {
  name: 'quota',
  what: `durable quota decisions, one organization, ${waiting} waiting ÷ one committed SQLite write each`,
  bound: { atLeast: 20 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const stores = await openSqliteStores(directory.path, systemClock);
  const ledger = new Ledger(stores.ledger, systemClock);
  const orgId = 'org_bench';
  await stores.organizations.insert(organizationOf(orgId));
  const ask = askOf('key_bench');
  using plain = plainCounter(join(directory.path, 'plain.db'));

  const pairs: { ledger: number; plain: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({
      plain: perSecond(plain.increment),
      ledger: await perSecondWaiting(() => ledger.reserve(orgId, ask)),
    });
  }
  await ledger.close();
  await stores.close();
  return {
    value: median(pairs.map((pair) => pair.ledger / pair.plain)),
    details: `${rounded(median(pairs.map((pair) => pair.ledger)))}/s against ${rounded(median(pairs.map((pair) => pair.plain)))}/s`,
  };
}

function perSecond(decide: () => void): number {
  const began = performance.now();
  let decisions = 0;
  for (; performance.now() - began < durationMs; decisions += 1) decide();
  return (decisions * 1_000) / (performance.now() - began);
}

async function perSecondWaiting(decide: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let decisions = 0;
  const caller = async (): Promise<void> => {
    for (; performance.now() - began < durationMs; decisions += 1) await decide();
  };
  await Promise.all(Array.from({ length: waiting }, caller));
  return (decisions * 1_000) / (performance.now() - began);
}

/** A counter with a limit, with each increment committed to the same disk with the same durability. */
function plainCounter(path: string): Disposable & { increment(): void } {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE quota (org_id TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO quota VALUES ('org_bench', 0);
  `);
  const statement = database.prepare(
    "UPDATE quota SET used = used + 1 WHERE org_id = 'org_bench' AND used < 9007199254740991 RETURNING used",
  );
  return {
    increment: () => void statement.get(),
    [Symbol.dispose]: () => database.close(),
  };
}
