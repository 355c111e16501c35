import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { readConfig } from '../src/config/config.ts';
import { systemClock } from '../src/lib/clock.ts';
import { dayOf, windowAt } from '../src/quota/window.ts';
import { type Core, openCore } from '../src/service/core.ts';
import { dayText } from '../src/usage/period.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { newOrganization, startReplicas } from '../test/helpers/replicas.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, quantile, rounded } from './benchmark.ts';

const keyCount = 1_000;
const months = 12;
const repeats = 20;

const bound = { atMost: 300 };

export const usagePages: Benchmark = {
  name: 'usage-pages',
  what: `slowest usage page, ms at p95: ${months} months × ${keyCount.toLocaleString('en-US')} keys of records`,
  bound,
  async run() {
    await using service = await startService();
    const core = await openCore(readConfig(service.environment), systemClock);
    return await measure(service.address, core, (statement) => {
      using database = new DatabaseSync(join(service.dataDir, 'embedgate.db'), { timeout: 10_000 });
      database.exec(statement);
    });
  },
};

export const postgresUsagePages: Benchmark = {
  name: 'postgres-usage-pages',
  what: 'Postgres: the same',
  bound,
  async run() {
    await using postgres = await startPostgres({ durable: true });
    const url = await postgres.createDatabase();
    await using replicas = await startReplicas(url, 1);
    const core = await openCore(readConfig(replicas.environment), systemClock);
    return await measure(replicas.services[0]!.address, core, async (statement) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(statement);
      await client.query(sums);
      await client.end();
    });
  },
};

/** On SQLite, a trigger has written these with the records. */
export const sums = `
  INSERT INTO usage_monthly (org_id, first_day, key_id, model, counted, cached, failed, texts, tokens)
    SELECT org_id, extract(epoch FROM date_trunc('month', to_timestamp(day * 86400), 'UTC'))::BIGINT / 86400, key_id, model,
      sum(counted), sum(cached), sum(failed), sum(texts), sum(tokens) FROM usage_records GROUP BY 1, 2, 3, 4;
  INSERT INTO usage_by_day (org_id, day, counted, cached, failed, texts, tokens)
    SELECT org_id, day, sum(counted), sum(cached), sum(failed), sum(texts), sum(tokens) FROM usage_records GROUP BY 1, 2;
  ANALYZE`;

async function measure(
  address: string,
  core: Core,
  execute: (statement: string) => unknown,
): Promise<Measurement> {
  const limit = { amount: 100_000_000, window: 'month' } as const;
  const { orgId, keys, keyIds } = await newOrganization(core, limit, 1);
  // In sequence, because each changes the organization.
  for (let i = 1; i < keyCount; i += 1) await core.keys.create({ orgId, userId: 'u', name: `key ${i}` });
  const nowMs = systemClock.now();
  const { firstDay, today } = { firstDay: dayOf(yearBefore(nowMs)), today: dayOf(nowMs) };
  // With the same number of days before them, with which the trend is compared.
  await execute(seeding(orgId, 2 * firstDay - today, today));
  await core.close();

  const year = `from=${dayText(firstDay)}&to=${dayText(today)}`;
  const organization = `/v1/organizations/${orgId}`;
  const pages = {
    'this month by day': `${organization}/usage`,
    'a year by month': `${organization}/usage?by=month&${year}`,
    'a year by day': `${organization}/usage?by=day&${year}`,
    'a year of one key': `${organization}/usage?by=day&${year}&key_id=${keyIds[0]}`,
    organization: organization,
    keys: `${organization}/keys`,
    '/v1/usage': '/v1/usage',
  };
  const measured: { page: string; p95Ms: number }[] = [];
  for (const [page, path] of Object.entries(pages)) {
    const headers = { authorization: `Bearer ${keys[0]}` };
    await milliseconds(address + path, headers);
    const samples = new Float64Array(repeats);
    for (let i = 0; i < repeats; i += 1) samples[i] = await milliseconds(address + path, headers);
    measured.push({ page, p95Ms: quantile(samples.sort(), 0.95) });
  }
  const slowest = Math.max(...measured.map(({ p95Ms }) => p95Ms));
  const details = measured.map(({ page, p95Ms }) => `${page} ${rounded(p95Ms)} ms`).join(', ');
  return { value: slowest, details };
}

/** From the request to the complete response. */
async function milliseconds(url: string, headers: Record<string, string>): Promise<number> {
  const startMs = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - startMs;
}

/** The first of the month, eleven months back. */
function yearBefore(nowMs: number): number {
  const month = new Date(windowAt('month', nowMs).startMs);
  return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - (months - 1), 1);
}

/** A record of each key on each day, with the same statement for both databases. */
function seeding(orgId: string, firstDay: number, lastDay: number): string {
  return `INSERT INTO usage_records (org_id, day, key_id, counted, cached, failed, texts, tokens)
    WITH RECURSIVE days(day) AS (
      SELECT CAST(${firstDay} AS BIGINT) UNION ALL SELECT day + 1 FROM days WHERE day < ${lastDay}
    )
    SELECT org_id, day, key_id, 10, 5, 1, 40, 500 FROM days CROSS JOIN api_keys WHERE org_id = '${orgId}'`;
}
