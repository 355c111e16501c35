import { workerData } from 'node:worker_threads';
import { auditIn } from '../../database/audit.ts';
import { timeOf } from '../../database/sql.ts';
import { openReader } from '../../database/sqlite/database.ts';
import { kyselyOver } from '../../database/sqlite/kysely.ts';
import { serveInTurn } from '../../database/sqlite/serve-in-turn.ts';
import { keysIn } from '../../keys/stored-keys.ts';
import { membersIn } from '../../organizations/stored-members.ts';
import { organizationsIn } from '../../organizations/stored-organizations.ts';
import { overviewIn } from '../../organizations/stored-overview.ts';
import { requestReports } from '../../usage/request-reports.ts';
import { usageReports } from '../../usage/usage-reports.ts';
import { usageSnapshots } from '../../usage/usage-snapshot.ts';
import { usersIn } from '../../users/stored-users.ts';

// The program of two threads, for reports and for lists of all organizations. They read many rows, and neither the event
// loop nor quota decisions wait for them.

export interface ReaderData {
  readonly database: string;
}

export type ReaderStores = typeof stores;

const { database: path }: ReaderData = workerData;
const database = openReader(path);
const kysely = kyselyOver(database, { writes: false });

const stores = serveInTurn(
  (clock) => ({
    audit: auditIn(kysely),
    keys: keysIn(kysely),
    members: membersIn(kysely, clock),
    organizations: organizationsIn(kysely, clock, timeOf(clock)),
    overview: overviewIn(kysely),
    users: usersIn(kysely, clock),
    usage: {
      ...usageReports(kysely),
      ...usageSnapshots(kysely, 'sqlite', timeOf(clock)),
    },
    requestLog: requestReports(kysely),
  }),
  () => database.close(),
);
