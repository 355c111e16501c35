import pg from 'pg';
import { systemClock } from '../src/lib/clock.ts';
import { Ledger } from '../src/quota/ledger.ts';
import { openPostgresStores } from '../src/service/postgres/open.ts';
import { askOf } from '../test/helpers/asks.ts';

// One replica of postgres-decisions.ts, in a process of its own. It receives over IPC what to run, and
// returns the number of decisions. `waiting` requests wait all the time, each for any of the organizations.

export interface Order {
  readonly by: 'ledger' | 'update';
  readonly orgIds: readonly string[];
  readonly waiting: number;
  readonly durationMs: number;
}

const url = process.argv[2] as string;
const stores = await openPostgresStores(url);
const ledger = new Ledger(stores.ledger, systemClock);
// As many connections as the stores may have.
const pool = new pg.Pool({ connectionString: url, max: 10 });

const ask = askOf('key');
const deciders = {
  ledger: (orgId: string) => ledger.reserve(orgId, ask),
  update: async (orgId: string) => {
    const { rowCount } = await pool.query({
      name: 'update',
      text: `UPDATE plain_quotas SET used = used + 1 WHERE org_id = $1 AND used < requests RETURNING used`,
      values: [orgId],
    });
    if (rowCount !== 1) throw new Error('not granted');
  },
};

process.on('message', async ({ by, orgIds, waiting, durationMs }: Order) => {
  const decide = deciders[by];
  const untilMs = performance.now() + durationMs;
  let decisions = 0;
  const requester = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      await decide(orgIds[Math.floor(Math.random() * orgIds.length)] as string);
      decisions += 1;
    }
  };
  await Promise.all(Array.from({ length: waiting }, requester));
  process.send?.(decisions);
});
process.on('disconnect', async () => {
  await Promise.all([stores.close(), pool.end()]);
});
process.send?.('ready');
