import { type Kysely, sql } from 'kysely';
import { longestPauseMs } from '../lib/database.ts';
import type { Database } from './schema.ts';
import type { DatabaseTime } from './sql.ts';

/** Lets only one of all replicas do something at a time. */
export function leasesIn(db: Kysely<Database>, time: DatabaseTime) {
  /** Returns by how many milliseconds the clock is ahead of the last time that the database has seen. */
  const gapMs = async (): Promise<number> => {
    const gap = sql<number | null>`${time()} - max(until)`.as('gap');
    return (await db.selectFrom('leases').select(gap).executeTakeFirstOrThrow()).gap ?? 0;
  };
  /** Reports whether that is at most `longestPauseMs`. Otherwise no lease can be taken. */
  const isClockTrusted = async (): Promise<boolean> => (await gapMs()) <= longestPauseMs;
  return {
    gapMs,
    isClockTrusted,

    /** Makes the present time the last that the database has seen, and returns it. */
    async trustClock(): Promise<number> {
      await db.deleteFrom('leases').execute();
      const { rows } = await sql<{ now: number }>`SELECT ${time()} AS now`.execute(db);
      return rows[0]!.now;
    },

    /**
     * Takes the lease for `holder`, for `forMs` from now. Returns the database's time, or null if another holder has the
     * lease. A holder can take its own lease again.
     */
    async take(name: string, holder: string, forMs: number): Promise<number | null> {
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
