import { type Kysely, sql } from 'kysely';
import type { RollUpStep, UsageRollup } from '../usage/roll-up.ts';
import { asHousekeeping } from './housekeeping.ts';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';
import { addedFigures, figureList, summedFigures } from './sql.ts';

/**
 * Maximum number of records that a step reads: a few milliseconds, for which a quota decision may have to wait on
 * SQLite.
 */
const recordsPerStep = 250;

type Month = { readonly orgId: string; readonly firstDay: number; readonly endDay: number };

export function usageRollup(db: Kysely<Database>, dialect: Dialect): UsageRollup {
  return {
    async unrolled(endDay, afterOrgId, limit) {
      // Months are summed up in order, so months without sums follow the last one that has sums, or are in
      // usage_rolling.
      const { rows } = await sql<{ orgId: string; day: number | null }>`
        SELECT org_id, COALESCE(
          (SELECT MIN(first_day) FROM usage_rolling r WHERE r.org_id = o.org_id AND r.end_day <= ${endDay}),
          (SELECT MIN(day) FROM usage_records u WHERE u.org_id = o.org_id AND u.day < ${endDay} AND u.day >= COALESCE(
            (SELECT MAX(r.end_day) FROM usage_rolled r WHERE r.org_id = o.org_id), 0))
        ) AS day
        FROM (SELECT org_id FROM organizations WHERE org_id > ${afterOrgId} ORDER BY org_id LIMIT ${limit}) AS o
        ORDER BY org_id`.execute(db);
      return {
        months: rows.flatMap(({ orgId, day }) => (day === null ? [] : [{ orgId, day }])),
        lastOrgId: rows.length < limit ? null : rows.at(-1)!.orgId,
      };
    },

    async beginRollUp(orgId, firstDay, endDay) {
      if (dialect === 'postgres') {
        const { rows } = await sql<{ round: number | null }>`
          SELECT usage_roll_up_begin(${orgId}, ${firstDay}, ${endDay}) AS round`.execute(db);
        return rows[0]?.round ?? null;
      }
      return db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ round: number }>`
          INSERT INTO usage_rolling (org_id, first_day, end_day, round, after_day, after_key)
          SELECT org_id, ${firstDay}, ${endDay}, 0, -1, '' FROM organizations WHERE org_id = ${orgId}
          ON CONFLICT (org_id, first_day) DO UPDATE SET round = round + 1, after_day = -1, after_key = ''
          RETURNING round`.execute(transaction);
        await transaction
          .deleteFrom('usage_rolled')
          .where('orgId', '=', orgId)
          .where('firstDay', '=', firstDay)
          .execute();
        return rows[0]?.round ?? null;
      });
    },

    stepRollUp(orgId, firstDay, round) {
      const [shared, locked] = dialect === 'postgres' ? [sql`FOR SHARE`, sql`FOR UPDATE`] : [sql``, sql``];
      return db.transaction().execute(async (transaction): Promise<RollUpStep> => {
        await asHousekeeping(transaction, dialect);
        // A deletion of the organization waits for this transaction, or has already deleted it.
        await sql`SELECT org_id FROM organizations WHERE org_id = ${orgId} ${shared}`.execute(transaction);
        const { rows } = await sql<Database['usage_rolling']>`
          SELECT * FROM usage_rolling WHERE org_id = ${orgId} AND first_day = ${firstDay} ${locked}`.execute(
          transaction,
        );
        const [state] = rows;
        if (!state || state.round !== round) return 'late';
        const month = { orgId, firstDay, endDay: state.endDay };
        if (state.afterDay === -1) {
          if (await clearSome(transaction, month)) await moveTo(transaction, month, firstDay, '');
          return 'more';
        }
        const after = { day: state.afterDay, key: state.afterKey };
        const last = await addSome(transaction, month, after);
        if (last) {
          await moveTo(transaction, month, last.day, last.keyId);
          return 'more';
        }
        await finish(transaction, month);
        return 'done';
      });
    },
  };
}

/** Deletes some sums of an earlier round. Returns whether none are left. */
async function clearSome(db: Kysely<Database>, { orgId, firstDay, endDay }: Month): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('usage_monthly')
    .where('orgId', '=', orgId)
    .where('firstDay', '=', firstDay)
    .where('keyId', 'in', (eb) =>
      eb
        .selectFrom('usage_monthly')
        .select('keyId')
        .where('orgId', '=', orgId)
        .where('firstDay', '=', firstDay)
        .limit(recordsPerStep),
    )
    .executeTakeFirst();
  // A key can have several rows, one for each model.
  if (Number(numDeletedRows) >= recordsPerStep) return false;
  await db
    .deleteFrom('usage_by_day')
    .where('orgId', '=', orgId)
    .where('day', '>=', firstDay)
    .where('day', '<', endDay)
    .execute();
  return true;
}

/** Adds the next records to the sums, and returns the last one. Undefined: there are no more. */
async function addSome(
  db: Kysely<Database>,
  { orgId, firstDay, endDay }: Month,
  after: { day: number; key: string },
): Promise<{ day: number; keyId: string } | undefined> {
  const behind = sql`org_id = ${orgId} AND day < ${endDay} AND (day, key_id) > (${after.day}, ${after.key})`;
  const { rows } = await sql<{ day: number; keyId: string }>`
    SELECT day, key_id FROM usage_records WHERE ${behind}
    ORDER BY day, key_id LIMIT 1 OFFSET ${recordsPerStep - 1}`.execute(db);
  const [last] = rows;
  const records = last ? sql`${behind} AND (day, key_id) <= (${last.day}, ${last.keyId})` : behind;
  await sql`INSERT INTO usage_monthly (org_id, first_day, key_id, model, ${figureList})
    SELECT org_id, CAST(${firstDay} AS BIGINT), key_id, model, ${summedFigures} FROM usage_records WHERE ${records}
    GROUP BY org_id, key_id, model
    ON CONFLICT (org_id, first_day, key_id, model) DO UPDATE SET ${addedFigures('usage_monthly')}`.execute(
    db,
  );
  await sql`INSERT INTO usage_by_day (org_id, day, ${figureList})
    SELECT org_id, day, ${summedFigures} FROM usage_records WHERE ${records} GROUP BY org_id, day
    ON CONFLICT (org_id, day) DO UPDATE SET ${addedFigures('usage_by_day')}`.execute(db);
  return last;
}

async function moveTo(
  db: Kysely<Database>,
  { orgId, firstDay }: Month,
  day: number,
  key: string,
): Promise<void> {
  await db
    .updateTable('usage_rolling')
    .set({ afterDay: day, afterKey: key })
    .where('orgId', '=', orgId)
    .where('firstDay', '=', firstDay)
    .execute();
}

async function finish(db: Kysely<Database>, { orgId, firstDay, endDay }: Month): Promise<void> {
  await db.insertInto('usage_rolled').values({ orgId, firstDay, endDay }).execute();
  await db.deleteFrom('usage_rolling').where('orgId', '=', orgId).where('firstDay', '=', firstDay).execute();
}
