import { after } from 'node:test';
import { sealedVectors } from '../../../../src/embeddings/sealed-vectors.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { kyselyOver, Pool } from '../../../../src/store/postgres/pool.ts';
import { alertsContract } from '../../../contracts/alerts.ts';
import { auditContract } from '../../../contracts/audit.ts';
import { deletionsContract } from '../../../contracts/deletions.ts';
import { deliveriesContract } from '../../../contracts/deliveries.ts';
import { exclusivelyContract } from '../../../contracts/exclusively.ts';
import { filesContract } from '../../../contracts/files.ts';
import { keysContract } from '../../../contracts/keys.ts';
import { ledgerContract } from '../../../contracts/ledger.ts';
import { limitsContract } from '../../../contracts/limits.ts';
import { listPlansContract } from '../../../contracts/list-plans.ts';
import { overviewContract } from '../../../contracts/overview.ts';
import { pagesContract } from '../../../contracts/pages.ts';
import { piecesContract } from '../../../contracts/pieces.ts';
import { quotaContract } from '../../../contracts/quota.ts';
import { requestLogContract } from '../../../contracts/request-log.ts';
import type { OpenStores } from '../../../contracts/stores.ts';
import { upstreamVectorsContract } from '../../../contracts/upstream-vectors.ts';
import { usageContract } from '../../../contracts/usage.ts';
import { accountsContract } from '../../../contracts/users.ts';
import { vectorStoreContract } from '../../../contracts/vector-cache.ts';
import { openPostgres } from '../../../helpers/postgres.ts';
import { patient } from './replicas.ts';

const postgres = await openPostgres();
after(() => postgres[Symbol.asyncDispose]());

const open: OpenStores = async (clock) =>
  openPostgresStores(await postgres.createDatabase(), { ...patient, windowClock: clock });

ledgerContract('Postgres', open);
limitsContract('Postgres', open);
quotaContract('Postgres', open);
keysContract('Postgres', open);
usageContract('Postgres', open);
requestLogContract('Postgres', open);
auditContract('Postgres', open);
accountsContract('Postgres', open);
overviewContract('Postgres', open);
pagesContract('Postgres', open);
filesContract('Postgres', open);

/** Opens the same data each time. */
const prepare = async (): Promise<OpenStores> => {
  const url = await postgres.createDatabase();
  return (clock) => openPostgresStores(url, { ...patient, windowClock: clock });
};
const plans = await postgres.createDatabase();
const pool = new Pool(plans, 1);
after(() => pool.close());
listPlansContract(
  'Postgres',
  'postgres',
  (clock) => openPostgresStores(plans, { ...patient, windowClock: clock }),
  async () => kyselyOver(pool),
);
alertsContract('Postgres', prepare);
deliveriesContract('Postgres', prepare);
deletionsContract('Postgres', prepare);
upstreamVectorsContract('Postgres', prepare);
exclusivelyContract('Postgres', async () => {
  const url = await postgres.createDatabase();
  return () => openPostgresStores(url, patient);
});
vectorStoreContract('Postgres', async () => {
  const stores = await openPostgresStores(await postgres.createDatabase(), patient);
  return { store: sealedVectors(stores.vectors), close: () => stores.close() };
});
piecesContract('Postgres', async () => openPostgresStores(await postgres.createDatabase(), patient));
