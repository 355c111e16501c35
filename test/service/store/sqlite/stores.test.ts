import { after } from 'node:test';
import { sealedVectors } from '../../../../src/embeddings/sealed-vectors.ts';
import { type Clock, systemClock } from '../../../../src/lib/clock.ts';
import { openSqliteStores } from '../../../../src/store/sqlite/open.ts';
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
import type { OpenStores } from '../../../contracts/stores.ts';
import { upstreamVectorsContract } from '../../../contracts/upstream-vectors.ts';
import { usageContract } from '../../../contracts/usage.ts';
import { accountsContract } from '../../../contracts/users.ts';
import { vectorStoreContract } from '../../../contracts/vector-cache.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';

const directories: Disposable[] = [];
after(() => {
  for (const directory of directories) directory[Symbol.dispose]();
});

/** On a busy machine, the standard deadline would end some of the calls. */
const openPatiently = (path: string, clock: Clock) =>
  openSqliteStores(path, clock, undefined, { deadlineMs: () => 60_000 });

const open: OpenStores = (clock) => {
  const directory = temporaryDirectory();
  directories.push(directory);
  return openPatiently(directory.path, clock);
};

ledgerContract('SQLite', open);
limitsContract('SQLite', open);
quotaContract('SQLite', open);
keysContract('SQLite', open);
usageContract('SQLite', open);
requestLogContract('SQLite', open);
auditContract('SQLite', open);
accountsContract('SQLite', open);
overviewContract('SQLite', open);
pagesContract('SQLite', open);
filesContract('SQLite', open);
listPlansContract('SQLite', 'sqlite', open);

/** Opens the same data each time. */
const prepare = async (): Promise<OpenStores> => {
  const directory = temporaryDirectory();
  directories.push(directory);
  return (clock) => openPatiently(directory.path, clock);
};
alertsContract('SQLite', prepare);
deliveriesContract('SQLite', prepare);
deletionsContract('SQLite', prepare);
upstreamVectorsContract('SQLite', prepare);
exclusivelyContract('SQLite', async () => {
  const directory = temporaryDirectory();
  directories.push(directory);
  return () => openPatiently(directory.path, systemClock);
});
vectorStoreContract('SQLite', async () => {
  const stores = await open(systemClock);
  return { store: sealedVectors(stores.vectors), close: () => stores.close() };
});
