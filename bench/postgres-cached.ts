import { startPostgres } from '../test/helpers/postgres.ts';
import { newOrganization, startReplicas } from '../test/helpers/replicas.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { httpLoad, postBytes } from './http-load.ts';

const connections = 32;
const durationMs = 2_000;
const rounds = 3;

export const postgresCached: Benchmark = {
  name: 'postgres-cached',
  what: 'Postgres: cached answers of a replica ÷ a process on SQLite',
  bound: { atLeast: 0.9 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using postgres = await startPostgres({ durable: true });
  await using replicas = await startReplicas(await postgres.createDatabase(), 1);
  await using sqlite = await startService();
  const { keys } = await newOrganization(replicas.gate, { requests: 1_000_000, window: 'month' }, 1);
  const targets = {
    postgres: { address: replicas.services[0]!.address, key: keys[0]! },
    sqlite: { address: sqlite.address, key: sqlite.key },
  };
  const perSecond = async ({ address, key }: { address: string; key: string }) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = postBytes('/v1/embeddings', { input: 'the same text each time' }, headers);
    const load = { address, connections, next: () => request, durationMs, spin: true };
    return (await httpLoad(load)).perSecond;
  };
  const measured = { postgres: [] as number[], sqlite: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const on of ['postgres', 'sqlite'] as const) {
      const answers = await perSecond(targets[on]);
      if (round > 0) measured[on].push(answers);
    }
  }
  const [onPostgres, onSqlite] = [median(measured.postgres), median(measured.sqlite)];
  return {
    value: onPostgres / onSqlite,
    details: `${rounded(onPostgres)} against ${rounded(onSqlite)} a second`,
  };
}
