import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newId } from '../src/lib/ids.ts';
import { askOf } from '../test/helpers/asks.ts';
import { organizationOf } from './benchmark.ts';

// Decides requests with the ledger of the program in a directory, on a database of its own: a directory, or an address of
// Postgres. It receives over IPC for how long, and returns what it has decided.

export interface Decided {
  readonly decisions: number;
  /** The processor time of this process, in microseconds. */
  readonly cpuUs: number;
}

const [root = '', database = ''] = process.argv.slice(2);
const waiting = 256;
const from = <Module>(path: string): Promise<Module> => import(pathToFileURL(join(root, path)).href);
const { systemClock } = await from<typeof import('../src/lib/clock.ts')>('src/lib/clock.ts');
const { Ledger } = await from<typeof import('../src/quota/ledger.ts')>('src/quota/ledger.ts');

const stores = await openStores();
const ledger = new Ledger(stores.ledger, systemClock);
const orgId = newId();
await stores.organizations.insert(organizationOf(orgId));
const ask = askOf('key_bench');

process.on('message', async (durationMs: number) => {
  const cpu = process.cpuUsage();
  const untilMs = performance.now() + durationMs;
  let decisions = 0;
  const requester = async (): Promise<void> => {
    for (; performance.now() < untilMs; decisions += 1) await ledger.reserve(orgId, ask);
  };
  await Promise.all(Array.from({ length: waiting }, requester));
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ decisions, cpuUs: user + system } satisfies Decided);
});
process.on('disconnect', async () => {
  await ledger.close();
  await stores.close();
});
process.send?.('ready');

async function openStores() {
  if (!database.startsWith('postgres')) {
    const { openSqliteStores } = await from<typeof import('../src/service/sqlite/open.ts')>(
      'src/service/sqlite/open.ts',
    );
    return openSqliteStores(database, systemClock);
  }
  const { migratePostgres } = await from<typeof import('../src/database/postgres/migrate.ts')>(
    'src/database/postgres/migrate.ts',
  );
  const { openPostgresStores } = await from<typeof import('../src/service/postgres/open.ts')>(
    'src/service/postgres/open.ts',
  );
  await migratePostgres(database);
  return openPostgresStores(database);
}
