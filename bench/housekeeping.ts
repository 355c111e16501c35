import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { systemClock } from '../src/lib/clock.ts';
import { Ledger } from '../src/quota/ledger.ts';
import { dayOf } from '../src/quota/window.ts';
import { openPostgresStores } from '../src/store/postgres/open.ts';
import { openSqliteStores } from '../src/store/sqlite/open.ts';
import { askOf } from '../test/helpers/asks.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { runSql, startPostgres } from '../test/helpers/postgres.ts';
import { type Benchmark, type Measurement, median, quantile } from './benchmark.ts';
import { type Chore, chores, days, organizations } from './housekeeping-chores.ts';
import { addPostgresVectors, addSqliteVectors, executeIn, type Place } from './housekeeping-place.ts';

const keysPerOrganization = 1_000;
const idleMs = 5_000;
const bound = { atMost: 50 };
const what = `longest wait that housekeeping adds to a quota decision, ms: ${(organizations * keysPerOrganization * days).toLocaleString('en-US')} usage records, 1,000,000 vectors`;

export const housekeeping: Benchmark = {
  name: 'housekeeping',
  what,
  bound,
  takesLong: true,
  async run() {
    using directory = temporaryDirectory();
    const [database, cache] = ['embedgate.db', 'cache.db'].map((name) => join(directory.path, name));
    return await measure({
      stores: await openSqliteStores(directory.path, systemClock),
      environment: { DATA_DIR: directory.path },
      execute: async (statements) => executeIn(database!, statements),
      addVectors: async (count) => addSqliteVectors(cache!, count),
    });
  },
};

export const postgresHousekeeping: Benchmark = {
  name: 'postgres-housekeeping',
  what: `Postgres: ${what}`,
  bound,
  takesLong: true,
  async run() {
    await using postgres = await startPostgres({ durable: true });
    const url = await postgres.createDatabase();
    const { privateKey } = generateKeyPairSync('ed25519');
    return await measure({
      stores: await openPostgresStores(url),
      environment: {
        DATABASE_URL: url,
        SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        AUTH_SECRET: randomBytes(32).toString('hex'),
      },
      async execute(statements) {
        await runSql(url, statements);
      },
      addVectors: (count) => addPostgresVectors(url, count),
    });
  },
};

/** A chore at a time, while decisions run in sequence. */
async function measure(place: Place): Promise<Measurement> {
  const { stores, execute } = place;
  const orgId = 'bench';
  await execute(`INSERT INTO organizations (org_id, name, tier, created_at, revision)
    VALUES ('${orgId}', 'bench', 'enterprise', 1, 1)`);
  await execute(seeding(dayOf(systemClock.now())));
  const ledger = new Ledger(stores.ledger, systemClock);
  const during = async (work: (signal: AbortSignal) => Promise<unknown>) => {
    const closing = new AbortController();
    const waitsMs: number[] = [];
    const deciding = (async () => {
      while (!closing.signal.aborted) {
        const beganMs = performance.now();
        await ledger.reserve(orgId, askOf('key'));
        waitsMs.push(performance.now() - beganMs);
      }
    })();
    const beganMs = performance.now();
    await work(closing.signal).finally(() => closing.abort());
    const tookMs = performance.now() - beganMs;
    await deciding;
    return { waitsMs: Float64Array.from(waitsMs).sort(), tookMs };
  };
  // The first decisions, and the first call of anything else, load what they need.
  await during(() =>
    Promise.all([pause(1_000), stores.organizations.find(orgId), stores.usage.rows(orgId, 0, 1)]),
  );
  const parts: string[] = [];
  let longestMs = 0;
  for (const chore of chores as readonly Chore[]) {
    await chore.prepare?.(place);
    // Right before each one, because other load on the machine varies.
    const idle = await during(() => pause(idleMs));
    const usualMs = median([...idle.waitsMs]);
    const { waitsMs, tookMs } = await during(() => chore.run(place));
    const addedMs = waitsMs.at(-1)! - usualMs;
    longestMs = Math.max(longestMs, addedMs);
    const [p99, total] = [quantile(waitsMs, 0.99).toFixed(1), (tookMs / 1_000).toFixed(1)];
    const before = `idle before: usually ${usualMs.toFixed(1)} ms, longest ${idle.waitsMs.at(-1)!.toFixed(1)} ms`;
    const line = `${chore.name} (${total} s): p99 ${p99} ms, longest added ${addedMs.toFixed(1)} ms (${before})`;
    process.stderr.write(`  ${line}\n`);
    parts.push(line);
  }
  await ledger.close();
  await stores.close();
  return { value: longestMs, details: parts.join('; ') };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A record of each key on each past day, for a few organizations. */
function seeding(today: number): string {
  const series = (name: string, count: number) =>
    `${name}(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ${name} WHERE n < ${count})`;
  return `INSERT INTO organizations (org_id, name, tier, created_at, revision)
      WITH RECURSIVE ${series('orgs', organizations)}
      SELECT 'used_' || CAST(n AS TEXT), 'used', 'enterprise', 1, 1 FROM orgs;
    INSERT INTO usage_records (org_id, day, key_id, counted, cached, failed, texts, tokens)
      WITH RECURSIVE ${series('orgs', organizations)}, ${series('days', days)}, ${series('keys', keysPerOrganization)}
      SELECT 'used_' || CAST(orgs.n AS TEXT), ${today - days} + days.n, 'key-' || CAST(keys.n AS TEXT), 10, 5, 1, 40, 500
      FROM orgs CROSS JOIN days CROSS JOIN keys`;
}
