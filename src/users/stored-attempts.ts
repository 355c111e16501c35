import { type Kysely, sql } from 'kysely';
import { deleteSome } from '../database/housekeeping.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';

/** The attempts that all replicas have counted. */
export const attemptsIn = (db: Kysely<Database>) => ({
  /** Counts one more attempt in the window that starts at `windowStart`, and returns the new count. */
  async count(subject: string, windowStart: number): Promise<number> {
    const { count } = await db
      .insertInto('attempts')
      .values({ subject, windowStart, count: 1 })
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet({
          // If the clock was set back, the later window stays in force.
          count: sql`CASE WHEN attempts.window_start >= excluded.window_start THEN attempts.count + 1 ELSE 1 END`,
          windowStart: sql`CASE WHEN attempts.window_start >= excluded.window_start THEN attempts.window_start ELSE excluded.window_start END`,
        }),
      )
      .returning('count')
      .executeTakeFirstOrThrow();
    return count;
  },

  /** Takes one attempt of that window back. */
  async uncount(subject: string, windowStart: number): Promise<void> {
    await db
      .updateTable('attempts')
      .set(({ eb }) => ({ count: eb('count', '-', 1) }))
      .where((eb) => eb.and({ subject, windowStart }))
      .where('count', '>', 0)
      .execute();
  },

  /** Returns true once for each subject, until the claim is pruned. */
  claim(subject: string, nowMs: number): Promise<boolean> {
    const claim = db.insertInto('attempts').values({ subject, windowStart: nowMs, count: 1 });
    return changesAny(claim.onConflict((conflict) => conflict.column('subject').doNothing()));
  },

  /** Deletes windows and claims that started before. Returns whether there may be more. */
  prune: (windowStartBefore: number): Promise<boolean> =>
    deleteSome(db, 'attempts', 'subject', sql`window_start < ${windowStartBefore}`),
});
