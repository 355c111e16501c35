import { workerData } from 'node:worker_threads';
import { usageReports } from '../usage-reports.ts';
import { usageRollup } from '../usage-rollup.ts';
import { usageSnapshots } from '../usage-snapshot.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { openReader } from './database.ts';
import type { DatabasePaths } from './database-thread.ts';
import { kyselyOver } from './kysely.ts';

// For reports, which read many rows: neither the event loop nor a quota decision waits for them.

const database = openReader((workerData as DatabasePaths).database);

const kysely = kyselyOver(database, { writes: false });

answerInTurn({
  stores: {
    usage: { ...usageReports(kysely), ...usageSnapshots(kysely, 'sqlite'), ...usageRollup(kysely, 'sqlite') },
  },
  close: () => database.close(),
});
