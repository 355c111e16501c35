import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { systemClock } from '../lib/clock.ts';
import type { UsageDelta, UsageSink } from '../usage/recorder.ts';
import type { UsageTotals } from '../usage/reports.ts';
import { deleteSome } from './housekeeping.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';

/** Maximum number of rows per statement. Well under SQLite's limit on parameters. */
const maxRowsPerStatement = 500;

/** Writes usage on SQLite, where transactions run one at a time. */
export function usageSink(db: Kysely<Database>): UsageSink {
  return {
    add({ writerId, number, deltas }) {
      return db.transaction().execute(async (transaction) => {
        if (!(await isNextBatch(transaction, writerId, number))) return;
        for (let from = 0; from < deltas.length; from += maxRowsPerStatement) {
          await addSome(transaction, deltas.slice(from, from + maxRowsPerStatement));
        }
      });
    },

    pruneWriters: (writtenBeforeMs) => pruneWriters(db, writtenBeforeMs),
  };
}

/** Notes that the writer's batch is being written. False: it or a later one was written before. */
export function isNextBatch(
  transaction: Kysely<Database>,
  writerId: string,
  lastBatch: number,
): Promise<boolean> {
  const batch = { lastBatch, writtenAt: systemClock.now() };
  const insertion = transaction.insertInto('usage_writers').values({ writerId, ...batch });
  return changesAny(
    insertion.onConflict((conflict) =>
      conflict.column('writerId').doUpdateSet(batch).where('usage_writers.lastBatch', '<', lastBatch),
    ),
  );
}

export const pruneWriters = (db: Kysely<Database>, writtenBeforeMs: number): Promise<boolean> =>
  deleteSome(db, 'usage_writers', 'writerId', sql`written_at < ${writtenBeforeMs}`);

/** Adds the usage of existing organizations. A trigger adds it to the sums of months and days. */
async function addSome(transaction: Kysely<Database>, deltas: readonly UsageDelta[]): Promise<void> {
  const found = await transaction
    .selectFrom('organizations')
    .select('orgId')
    .where('orgId', 'in', [...new Set(deltas.map(({ orgId }) => orgId))])
    .execute();
  const existing = new Set(found.map(({ orgId }) => orgId));
  const wanted = deltas.filter(({ orgId }) => existing.has(orgId));
  if (wanted.length === 0) return;
  await transaction
    .insertInto('usage_records')
    .values(wanted.map(({ lastUsedAt: _, ...row }) => ({ ...row, counted: 0 })))
    .onConflict((conflict) =>
      conflict.columns(['orgId', 'day', 'keyId', 'model']).doUpdateSet({
        cached: added('cached'),
        failed: added('failed'),
        texts: added('texts'),
        tokens: added('tokens'),
        truncated: added('truncated'),
      }),
    )
    .execute();
  await transaction
    .insertInto('key_activity')
    .values(lastUses(wanted))
    .onConflict((conflict) =>
      conflict
        .column('keyId')
        .doUpdateSet({ lastUsedAt: (eb) => eb.ref('excluded.lastUsedAt') })
        .whereRef('excluded.lastUsedAt', '>', 'key_activity.lastUsedAt'),
    )
    .execute();
}

function added(figure: keyof UsageTotals) {
  return (
    eb: ExpressionBuilder<Database & { excluded: Database['usage_records'] }, 'usage_records' | 'excluded'>,
  ) => eb(`usage_records.${figure}`, '+', eb.ref(`excluded.${figure}`));
}

/** Returns one row per key, because an upsert must not update the same row twice. */
function lastUses(deltas: readonly UsageDelta[]): Database['key_activity'][] {
  const latest = new Map<string, number>();
  for (const { keyId, lastUsedAt } of deltas) {
    latest.set(keyId, Math.max(lastUsedAt, latest.get(keyId) ?? 0));
  }
  return [...latest].map(([keyId, lastUsedAt]) => ({ keyId, lastUsedAt }));
}
