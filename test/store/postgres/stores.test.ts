import { after } from 'node:test';
import { systemClock } from '../../../src/lib/clock.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { accountsContract } from '../../contracts/accounts.ts';
import { alertsContract } from '../../contracts/alerts.ts';
import { deliveriesContract } from '../../contracts/deliveries.ts';
import { exclusivelyContract } from '../../contracts/exclusively.ts';
import { keysContract } from '../../contracts/keys.ts';
import { ledgerContract } from '../../contracts/ledger.ts';
import type { OpenStores } from '../../contracts/stores.ts';
import { usageContract } from '../../contracts/usage.ts';
import { vectorStoreContract } from '../../contracts/vector-cache.ts';
import { openPostgres } from '../../helpers/postgres.ts';

const postgres = await openPostgres();
after(() => postgres[Symbol.asyncDispose]());

const open: OpenStores = async (clock) =>
  openPostgresStores(await postgres.createDatabase(), { windowClock: clock });

ledgerContract('Postgres', open);
keysContract('Postgres', open);
usageContract('Postgres', open);
accountsContract('Postgres', open);

/** Opens the same data each time. */
const prepare = async (): Promise<OpenStores> => {
  const url = await postgres.createDatabase();
  return (clock) => openPostgresStores(url, { windowClock: clock });
};
alertsContract('Postgres', prepare);
deliveriesContract('Postgres', prepare);
exclusivelyContract('Postgres', async () => {
  const url = await postgres.createDatabase();
  return () => openPostgresStores(url);
});
vectorStoreContract('Postgres', async () => {
  const stores = await open(systemClock);
  return { store: stores.vectors, close: () => stores.close() };
});
