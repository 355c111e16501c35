import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { migratePostgres } from '../src/database/postgres/migrate.ts';
import { runSql, startPostgres } from '../test/helpers/postgres.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import type { Order } from './postgres-decisions-replica.ts';

const replicas = 2;
const waiting = 256;
const durationMs = 1_500;
const rounds = 3;

export const postgresQuota: Benchmark = {
  name: 'postgres-quota',
  what: `Postgres: quota decisions, 1 busy organization, ${replicas} replicas, ${waiting} waiting each ÷ one UPDATE … RETURNING a request`,
  bound: { atLeast: 15 },
  run: () => measure(1),
};

export const postgresQuotas: Benchmark = {
  name: 'postgres-quotas',
  what: 'Postgres: the same, 1,000 organizations at random',
  bound: { atLeast: 3 },
  run: () => measure(1_000),
};

/** Two replicas with 256 waiting requests each, on a server that waits for its disk. */
async function measure(organizations: number): Promise<Measurement> {
  await using postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  const orgIds = Array.from({ length: organizations }, (_, i) => `org_${String(i).padStart(4, '0')}`);
  await runSql(
    url,
    `INSERT INTO organizations (org_id, name, tier, created_at, revision, cache_secret)
     SELECT org_id, 'bench', 'enterprise', 0, 1, 'secret' FROM unnest($1::TEXT[]) AS o (org_id)`,
    [orgIds],
  );
  await runSql(
    url,
    'CREATE TABLE plain_quotas (org_id TEXT PRIMARY KEY, used BIGINT, requests BIGINT) WITH (fillfactor = 50)',
  );
  await runSql(url, 'INSERT INTO plain_quotas SELECT org_id, 0, 1000000000000 FROM organizations');

  const children = await Promise.all(Array.from({ length: replicas }, () => startReplica(url)));
  const perSecond = async (by: Order['by']) => {
    const decisions = await Promise.all(
      children.map((child) => ask(child, { by, orgIds, waiting, durationMs })),
    );
    return (decisions.reduce((sum, count) => sum + count, 0) / durationMs) * 1_000;
  };
  const [byLedger, byUpdate]: [number[], number[]] = [[], []];
  // The first round warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    const measured = [await perSecond('ledger'), await perSecond('update')] as const;
    if (round === 0) continue;
    byLedger.push(measured[0]);
    byUpdate.push(measured[1]);
  }
  for (const child of children) child.disconnect();
  await Promise.all(children.map((child) => once(child, 'exit')));
  return {
    value: median(byLedger) / median(byUpdate),
    details: `${rounded(median(byLedger))}/s against ${rounded(median(byUpdate))}/s`,
  };
}

async function startReplica(url: string): Promise<ChildProcess> {
  const child = fork(new URL('./postgres-decisions-replica.ts', import.meta.url), [url], {
    execArgv: ['--no-warnings'],
  });
  await once(child, 'message');
  return child;
}

async function ask(child: ChildProcess, order: Order): Promise<number> {
  child.send(order);
  const [decisions] = await once(child, 'message');
  return decisions;
}
