import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { Authenticator } from '../src/keys/authenticate.ts';
import { fixedKeyring, generateSigningKey } from '../src/keys/keyring.ts';
import { Keys } from '../src/keys/keys.ts';
import { systemClock } from '../src/lib/clock.ts';
import { Organizations } from '../src/organizations/organizations.ts';
import { Ledger } from '../src/quota/ledger.ts';
import { openPostgresStores } from '../src/store/postgres/open.ts';
import { askOf } from '../test/helpers/asks.ts';
import { eventually } from '../test/helpers/eventually.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { type Benchmark, type Measurement, quantile } from './benchmark.ts';

const requests = 4_000;
/** This many run first: code that has run only a few hundred times is compiled while it is measured. */
const warmUp = 1_000;
const pauseMs = 1;

export const postgresAdded: Benchmark = {
  name: 'postgres-added',
  what: 'Postgres: p99 added by authentication and quota, light load ÷ one round trip (a committed UPDATE)',
  bound: { atMost: 2 },
  run: measure,
};

/**
 * The delay of an uncached request before it is computed, at light load: its key, and its durable unit of the
 * quota. Alternates with one round trip: a committed UPDATE of one row, the minimum for a durable count.
 */
async function measure(): Promise<Measurement> {
  await using postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  const stores = await openPostgresStores(url);
  const keyring = fixedKeyring([generateSigningKey()]);
  const keys = new Keys(stores.keys, keyring, systemClock);
  const { orgId } = await new Organizations(stores.organizations, keys, systemClock).create({
    name: 'bench',
    tier: 'scale',
  });
  const { secret } = await keys.create({ orgId, userId: 'u', name: 'bench' });
  const authenticator = new Authenticator({
    keys: stores.keys,
    keyring,
    watch: stores.watch,
    clock: systemClock,
  });
  const ledger = new Ledger(stores.ledger, systemClock);
  // A connection each, as the gate has its own: a server process that has just worked responds faster.
  await using updating = await connect(url);
  await using selecting = await connect(url);
  await updating.query('CREATE TABLE plain_counter (id INT PRIMARY KEY, used BIGINT)');
  await updating.query('INSERT INTO plain_counter VALUES (1, 0)');
  const update = {
    name: 'update',
    text: 'UPDATE plain_counter SET used = used + 1 WHERE id = $1 RETURNING used',
  };
  const select = { name: 'select', text: 'SELECT $1::INT' };
  await eventually(() => stores.watch.current());

  const calls = {
    added: async () => {
      const caller = await authenticator.authenticate(`Bearer ${secret}`);
      await ledger.reserve(caller.orgId, askOf(caller.keyId));
    },
    update: () => updating.query({ ...update, values: [1] }),
    select: () => selecting.query({ ...select, values: [1] }),
  };
  const tookMs = { added: [] as number[], update: [] as number[], select: [] as number[] };
  for (let i = -warmUp; i < requests; i += 1) {
    for (const [name, call] of Object.entries(calls)) {
      await setTimeout(pauseMs);
      const beganMs = performance.now();
      await call();
      if (i >= 0) tookMs[name as keyof typeof calls].push(performance.now() - beganMs);
    }
  }
  await ledger.close();
  await stores.close();
  const p99 = (name: keyof typeof calls) => quantile(Float64Array.from(tookMs[name]).sort(), 0.99);
  const p50 = (name: keyof typeof calls) => quantile(Float64Array.from(tookMs[name]).sort(), 0.5);
  const told = (name: keyof typeof calls) => `${p99(name).toFixed(2)} ms (median ${p50(name).toFixed(2)})`;
  return {
    value: p99('added') / p99('update'),
    details: `${told('added')} against ${told('update')}; a SELECT that commits nothing: ${told('select')}`,
  };
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
