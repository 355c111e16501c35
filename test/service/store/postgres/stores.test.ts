import { kyselyOver, Pool } from '../../../../src/database/postgres/pool.ts';
import { sealedVectors } from '../../../../src/embeddings/sealed-vectors.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { openPostgresStores } from '../../../../src/service/postgres/open.ts';
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
import { type OpenStores, sharedPair, sharedStores } from '../../../contracts/stores.ts';
import { upstreamVectorsContract } from '../../../contracts/upstream-vectors.ts';
import { usageContract } from '../../../contracts/usage.ts';
import { accountsContract } from '../../../contracts/users.ts';
import { vectorStoreContract } from '../../../contracts/vector-cache.ts';
import { openPostgres } from '../../../helpers/postgres.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { patient } from './replicas.ts';

const postgres = untilEnd(await openPostgres());

const open: OpenStores = async (clock) =>
  openPostgresStores(await postgres.createDatabase(), { ...patient, windowClock: clock });

const shared = sharedStores(open);

keysContract('Postgres', shared);
ledgerContract('Postgres', shared);
limitsContract('Postgres', shared);
quotaContract('Postgres', shared);
usageContract('Postgres', shared);
requestLogContract('Postgres', shared);
accountsContract('Postgres', shared);
filesContract('Postgres', shared);
vectorStoreContract('Postgres', async () => {
  const stores = await shared(systemClock);
  return { store: sealedVectors(stores.vectors), close: () => stores.close() };
});
piecesContract('Postgres', () => shared(systemClock));
auditContract('Postgres', open);
overviewContract('Postgres', open);
pagesContract('Postgres', open);

/** Opens the same data each time. */
const prepare = async (): Promise<OpenStores> => {
  const url = await postgres.createDatabase();
  return (clock) => openPostgresStores(url, { ...patient, windowClock: clock });
};
const plans = await postgres.createDatabase();
const pool = new Pool(plans, 1);
untilEnd({ [Symbol.asyncDispose]: () => pool.close() });
listPlansContract(
  'Postgres',
  'postgres',
  (clock) => openPostgresStores(plans, { ...patient, windowClock: clock }),
  async () => kyselyOver(pool),
);
alertsContract('Postgres', prepare);
deletionsContract('Postgres', prepare);
const pair = sharedPair(prepare);
deliveriesContract('Postgres', pair);
upstreamVectorsContract('Postgres', pair);
exclusivelyContract('Postgres', async () => {
  const opened = await pair();
  return () => opened(systemClock);
});
