import type { ExpressionBuilder, Kysely } from 'kysely';
import type { UsageSink } from '../usage/recorder.ts';
import type { Database } from './schema.ts';

/** Rows a statement: well under both databases' bounds on parameters. */
const maxRowsPerStatement = 500;

const figures = ['counted', 'cached', 'failed', 'texts', 'tokens'] as const;
type Figure = (typeof figures)[number];

/** Writes usage; usage-reports.ts reads it. */
export function usageSink(db: Kysely<Database>): UsageSink {
  return {
    add(deltas) {
      return db.transaction().execute(async (transaction) => {
        for (let from = 0; from < deltas.length; from += maxRowsPerStatement) {
          const chunk = deltas.slice(from, from + maxRowsPerStatement);
          await transaction
            .insertInto('usage_daily')
            .values(
              chunk.map(({ orgId, keyId, day, cached, failed, texts, tokens }) => ({
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
            .values(lastUses(chunk))
            .onConflict((conflict) =>
              conflict
                .column('key_id')
                .doUpdateSet({ last_used_at: (eb) => eb.ref('excluded.last_used_at') })
                .whereRef('excluded.last_used_at', '>', 'key_activity.last_used_at'),
            )
            .execute();
        }
      });
    },
  };
}

function added(figure: Figure) {
  return (
    eb: ExpressionBuilder<Database & { excluded: Database['usage_daily'] }, 'usage_daily' | 'excluded'>,
  ) => eb(`usage_daily.${figure}`, '+', eb.ref(`excluded.${figure}`));
}

/** One row a key: an upsert may not meet the same row twice. Ordered by id, so that replicas can't deadlock. */
function lastUses(deltas: readonly { keyId: string; lastUsedAt: number }[]): Database['key_activity'][] {
  const latest = new Map<string, number>();
  for (const { keyId, lastUsedAt } of deltas) {
    latest.set(keyId, Math.max(lastUsedAt, latest.get(keyId) ?? 0));
  }
  return [...latest]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key_id, last_used_at]) => ({ key_id, last_used_at }));
}
