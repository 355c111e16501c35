import { sealedVectors } from '../../../../src/embeddings/sealed-vectors.ts';
import { type Clock, systemClock } from '../../../../src/lib/clock.ts';
import { openSqliteStores } from '../../../../src/service/sqlite/open.ts';
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
import { quotaContract } from '../../../contracts/quota.ts';
import { requestLogContract } from '../../../contracts/request-log.ts';
import { type OpenStores, sharedPair, sharedStores } from '../../../contracts/stores.ts';
import { upstreamVectorsContract } from '../../../contracts/upstream-vectors.ts';
import { usageContract } from '../../../contracts/usage.ts';
import { accountsContract } from '../../../contracts/users.ts';
import { vectorStoreContract } from '../../../contracts/vector-cache.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';
import { untilEnd } from '../../../helpers/until-end.ts';

/** On a busy machine, the standard deadline would end some of the calls. */
const openPatiently = (path: string, clock: Clock) =>
  openSqliteStores(path, clock, undefined, { deadlineMs: () => 60_000 });

const open: OpenStores = (clock) => openPatiently(untilEnd(temporaryDirectory()).path, clock);
const shared = sharedStores(open);

keysContract('SQLite', shared);
ledgerContract('SQLite', shared);
limitsContract('SQLite', shared);
quotaContract('SQLite', shared);
usageContract('SQLite', shared);
requestLogContract('SQLite', shared);
accountsContract('SQLite', shared);
filesContract('SQLite', shared);
vectorStoreContract('SQLite', async () => {
  const stores = await shared(systemClock);
  return { store: sealedVectors(stores.vectors), close: () => stores.close() };
});
auditContract('SQLite', open);
overviewContract('SQLite', open);
pagesContract('SQLite', open);
listPlansContract('SQLite', 'sqlite', open);

/** Opens the same data each time. */
const prepare = async (): Promise<OpenStores> => {
  const { path } = untilEnd(temporaryDirectory());
  return (clock) => openPatiently(path, clock);
};
alertsContract('SQLite', prepare);
deletionsContract('SQLite', prepare);
const pair = sharedPair(prepare);
deliveriesContract('SQLite', pair);
upstreamVectorsContract('SQLite', pair);
exclusivelyContract('SQLite', async () => {
  const opened = await pair();
  return () => opened(systemClock);
});
