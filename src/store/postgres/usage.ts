import type { UsageSink } from '../../usage/recorder.ts';
import type { Pool, Statement } from './pool.ts';

/**
 * In one statement, because the ledger's flush waits for these rows: they must not stay locked over a round trip. Rows are
 * taken in the order in which a flush takes them, so that neither can block the other for good.
 */
const addStatement: Statement = {
  name: 'add_usage',
  text: `
    WITH delta AS MATERIALIZED (
      SELECT * FROM unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[],
        $8::BIGINT[]) AS delta (org_id, key_id, day, cached, failed, texts, tokens, last_used_at)
    ), last_used AS (
      INSERT INTO key_activity (key_id, last_used_at)
      SELECT key_id, max(last_used_at) FROM delta GROUP BY key_id ORDER BY key_id COLLATE "C"
      ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at
        WHERE excluded.last_used_at > key_activity.last_used_at
    )
    INSERT INTO usage_daily AS u (org_id, key_id, day, cached, failed, texts, tokens)
    SELECT org_id, key_id, day, sum(cached), sum(failed), sum(texts), sum(tokens)
    FROM delta GROUP BY org_id, key_id, day ORDER BY org_id COLLATE "C", day, key_id COLLATE "C"
    ON CONFLICT (org_id, day, key_id) DO UPDATE SET
      cached = u.cached + excluded.cached, failed = u.failed + excluded.failed,
      texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens`,
};

export function postgresUsage(pool: Pool): UsageSink {
  return {
    async add(deltas) {
      await pool.query(addStatement, [
        deltas.map(({ orgId }) => orgId),
        deltas.map(({ keyId }) => keyId),
        deltas.map(({ day }) => day),
        deltas.map(({ cached }) => cached),
        deltas.map(({ failed }) => failed),
        deltas.map(({ texts }) => texts),
        deltas.map(({ tokens }) => tokens),
        deltas.map(({ lastUsedAt }) => lastUsedAt),
      ]);
    },
  };
}
