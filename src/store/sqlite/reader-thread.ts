import { workerData } from 'node:worker_threads';
import { auditIn } from '../audit.ts';
import { keysIn } from '../keys.ts';
import { membersIn } from '../members.ts';
import { organizationsIn } from '../organizations.ts';
import { overviewIn } from '../overview.ts';
import { requestReports } from '../request-reports.ts';
import { timeOf } from '../sql.ts';
import { usageReports } from '../usage-reports.ts';
import { usageSnapshots } from '../usage-snapshot.ts';
import { usersIn } from '../users.ts';
import { openReader } from './database.ts';
import { kyselyOver } from './kysely.ts';
import { serveInTurn } from './serve-in-turn.ts';

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
