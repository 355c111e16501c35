import { type Kysely, sql } from 'kysely';
import type { AttemptStore } from '../users/attempts.ts';
import { deleteSome } from './housekeeping.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';

export function attemptStore(db: Kysely<Database>): AttemptStore {
  return {
    async count(subject, windowStart) {
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

    async uncount(subject, windowStart) {
      await db
        .updateTable('attempts')
        .set(({ eb }) => ({ count: eb('count', '-', 1) }))
        .where((eb) => eb.and({ subject, windowStart }))
        .where('count', '>', 0)
        .execute();
    },

    claim(subject, nowMs) {
      const claim = db.insertInto('attempts').values({ subject, windowStart: nowMs, count: 1 });
      return changesAny(claim.onConflict((conflict) => conflict.column('subject').doNothing()));
    },

    prune: (windowStartBefore) =>
      deleteSome(db, 'attempts', 'subject', sql`window_start < ${windowStartBefore}`),
  };
}
