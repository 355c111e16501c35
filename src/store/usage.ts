import type { ExpressionBuilder, Kysely } from 'kysely';
import { systemClock } from '../lib/clock.ts';
import type { UsageDelta, UsageSink } from '../usage/recorder.ts';
import type { Database } from './schema.ts';

/** Rows a statement: well under SQLite's bound on parameters. */
const maxRowsPerStatement = 500;

const figures = ['counted', 'cached', 'failed', 'texts', 'tokens'] as const;
type Figure = (typeof figures)[number];

/** What notices records that come late, in the transaction that writes them. */
interface Late {
  touched(orgId: string, day: number): void;
}

/** Writes usage on SQLite, where transactions take turns; usage-reports.ts reads it. */
export function usageSink(db: Kysely<Database>, late: Late): UsageSink {
  const now = systemClock.now;
  return {
    add({ writerId, number, deltas }) {
      return db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('usage_writers')
          .values({ writer_id: writerId, last_batch: number, written_at: now() })
          .onConflict((conflict) =>
            conflict
              .column('writer_id')
              .doUpdateSet({ last_batch: number, written_at: now() })
              .where('usage_writers.last_batch', '<', number),
          )
          .executeTakeFirst();
        if (!numInsertedOrUpdatedRows) return;
        for (let from = 0; from < deltas.length; from += maxRowsPerStatement) {
          const added = await addSome(transaction, deltas.slice(from, from + maxRowsPerStatement));
          for (const { orgId, day } of added) late.touched(orgId, day);
        }
      });
    },

    async pruneWriters(writtenBeforeMs, limit) {
      await pruneWriters(db, writtenBeforeMs, limit);
    },
  };
}

export async function pruneWriters(
  db: Kysely<Database>,
  writtenBeforeMs: number,
  limit: number,
): Promise<void> {
  await db
    .deleteFrom('usage_writers')
    .where('writer_id', 'in', (eb) =>
      eb
        .selectFrom('usage_writers')
        .select('writer_id')
        .where('written_at', '<', writtenBeforeMs)
        .orderBy('written_at')
        .limit(limit),
    )
    .execute();
}

/** Returns those that were added: the others are of organizations that don't exist. */
async function addSome(
  transaction: Kysely<Database>,
  deltas: readonly UsageDelta[],
): Promise<readonly UsageDelta[]> {
  const found = await transaction
    .selectFrom('organizations')
    .select('org_id')
    .where('org_id', 'in', [...new Set(deltas.map(({ orgId }) => orgId))])
    .execute();
  const existing = new Set(found.map(({ org_id }) => org_id));
  const wanted = deltas.filter(({ orgId }) => existing.has(orgId));
  if (wanted.length === 0) return [];
  await transaction
    .insertInto('usage_daily')
    .values(
      wanted.map(({ orgId, keyId, day, cached, failed, texts, tokens }) => ({
        ...{ org_id: orgId, key_id: keyId, day },
        ...{ counted: 0, cached, failed, texts, tokens },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'day', 'key_id']).doUpdateSet({
        cached: added('cached'),
        failed: added('failed'),
        texts: added('texts'),
        tokens: added('tokens'),
      }),
    )
    .execute();
  await transaction
    .insertInto('key_activity')
    .values(lastUses(wanted))
    .onConflict((conflict) =>
      conflict
        .column('key_id')
        .doUpdateSet({ last_used_at: (eb) => eb.ref('excluded.last_used_at') })
        .whereRef('excluded.last_used_at', '>', 'key_activity.last_used_at'),
    )
    .execute();
  return wanted;
}

function added(figure: Figure) {
  return (
    eb: ExpressionBuilder<Database & { excluded: Database['usage_daily'] }, 'usage_daily' | 'excluded'>,
  ) => eb(`usage_daily.${figure}`, '+', eb.ref(`excluded.${figure}`));
}

/** One row a key: an upsert may not meet the same row twice. */
function lastUses(deltas: readonly UsageDelta[]): Database['key_activity'][] {
  const latest = new Map<string, number>();
  for (const { keyId, lastUsedAt } of deltas) {
    latest.set(keyId, Math.max(lastUsedAt, latest.get(keyId) ?? 0));
  }
  return [...latest].map(([key_id, last_used_at]) => ({ key_id, last_used_at }));
}
