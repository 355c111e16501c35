import { after } from 'node:test';
import type { LedgerStore } from '../../../src/quota/ledger-store.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { alertsContract } from '../../contracts/alerts.ts';
import { deletionsContract } from '../../contracts/deletions.ts';
import { deliveriesContract } from '../../contracts/deliveries.ts';
import { exclusivelyContract } from '../../contracts/exclusively.ts';
import { keysContract } from '../../contracts/keys.ts';
import { ledgerContract } from '../../contracts/ledger.ts';
import { limitsContract } from '../../contracts/limits.ts';
import { listPlansContract } from '../../contracts/list-plans.ts';
import { pagesContract } from '../../contracts/pages.ts';
import { quotaContract } from '../../contracts/quota.ts';
import type { OpenStores } from '../../contracts/stores.ts';
import { usageContract } from '../../contracts/usage.ts';
import { accountsContract } from '../../contracts/users.ts';
import { vectorStoreContract } from '../../contracts/vector-cache.ts';
import { askOf } from '../../helpers/asks.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { patient } from './replicas.ts';

const postgres = await openPostgres();
after(() => postgres[Symbol.asyncDispose]());

const open: OpenStores = async (clock) =>
  openPostgresStores(await postgres.createDatabase(), { ...patient, windowClock: clock });

ledgerContract('Postgres', open);
limitsContract('Postgres', open);
ledgerContract('Postgres, never one organization alone', async (clock) => besideAnother(await open(clock)));
limitsContract('Postgres, never one organization alone', async (clock) => besideAnother(await open(clock)));
quotaContract('Postgres', open);
quotaContract('Postgres, never one organization alone', async (clock) => besideAnother(await open(clock)));
keysContract('Postgres', open);
usageContract('Postgres', open);
accountsContract('Postgres', open);
pagesContract('Postgres', open);
listPlansContract('Postgres', 'postgres', open);

/** Opens the same data each time. */
const prepare = async (): Promise<OpenStores> => {
  const url = await postgres.createDatabase();
  return (clock) => openPostgresStores(url, { ...patient, windowClock: clock });
};
alertsContract('Postgres', prepare);
deliveriesContract('Postgres', prepare);
deletionsContract('Postgres', prepare);
exclusivelyContract('Postgres', async () => {
  const url = await postgres.createDatabase();
  return () => openPostgresStores(url, patient);
});
vectorStoreContract('Postgres', async () => {
  const stores = await openPostgresStores(await postgres.createDatabase(), patient);
  return { store: stores.vectors, close: () => stores.close() };
});

/** A flush with one organization takes a code path of its own. This gives every flush two organizations. */
function besideAnother(stores: Stores): Stores {
  const { ledger } = stores;
  // Its id sorts after all others, as entries do.
  const another = { orgId: 'org_unknown', runs: [{ ask: askOf('k'), count: 1 }], returns: [] };
  const beside: LedgerStore = {
    flush: async (entries) => (await ledger.flush([...entries, another])).slice(0, -1),
    standings: (orgId, limitsKeyId) => ledger.standings(orgId, limitsKeyId),
    version: () => ledger.version(),
  };
  return { ...stores, ledger: beside };
}
