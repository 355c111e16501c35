import type { Kysely } from 'kysely';
import type { LeaseStore } from '../usage/alerts/alert-watch.ts';
import type { Database } from './schema.ts';

export function leaseStore(db: Kysely<Database>): LeaseStore {
  return {
    async take(name, holder, untilMs, nowMs) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('leases')
        .values({ name, holder, until: untilMs })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, until: untilMs })
            .where((eb) => eb.or([eb('leases.holder', '=', holder), eb('leases.until', '<=', nowMs)])),
        )
        .executeTakeFirst();
      return Number(numInsertedOrUpdatedRows) > 0;
    },
  };
}
