import { type Kysely, sql } from 'kysely';
import { type LeaseStore, longestPauseMs } from '../lib/database.ts';
import type { Database } from './schema.ts';
import type { DatabaseTime } from './sql.ts';

export function leaseStore(db: Kysely<Database>, time: DatabaseTime): LeaseStore {
  const gapMs = async (): Promise<number> => {
    const gap = sql<number | null>`${time()} - max(until)`.as('gap');
    return (await db.selectFrom('leases').select(gap).executeTakeFirstOrThrow()).gap ?? 0;
  };
  const isClockTrusted = async (): Promise<boolean> => (await gapMs()) <= longestPauseMs;
  return {
    gapMs,
    isClockTrusted,

    async trustClock() {
      await db.deleteFrom('leases').execute();
      const { rows } = await sql<{ now: number }>`SELECT ${time()} AS now`.execute(db);
      return rows[0]!.now;
    },

    async take(name, holder, forMs) {
      if (!(await isClockTrusted())) return null;
      const now = time();
      const until = sql<number>`${now} + CAST(${forMs} AS BIGINT)`;
      const row = await db
        .insertInto('leases')
        .values({ name, holder, until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, until })
            .where((eb) =>
              eb.or([
                eb('leases.holder', '=', holder),
                eb('leases.until', '<=', now),
                // Taken before the clock was set back, so it would last until the clock catches up.
                eb('leases.until', '>', until),
              ]),
            ),
        )
        .returning('until')
        .executeTakeFirst();
      return row ? row.until - forMs : null;
    },
  };
}
