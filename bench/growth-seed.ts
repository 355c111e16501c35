import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dayOf, windowAt } from '../src/quota/window.ts';
import { runSql } from '../test/helpers/postgres.ts';
import { sums } from './usage-pages.ts';

/** A person who is a member of one organization in 50, and has the administrator's password. */
export const personWithMany = 'many@example.com';

const daysUsed = 30;
const hoursUsed = 24;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Organizations of the last 300 days, each with an owner and two keys. One in 20 is active. */
function statements(count: number, nowMs: number, bytes: 'BLOB' | 'BYTEA'): string[] {
  const stepMs = Math.floor((300 * dayMs) / count);
  const createdAt = `${nowMs - 300 * dayMs} + i * ${stepMs}`;
  const id = (kind: string) => `'01b00000-0000-7000-8${kind}-' || substr(CAST(1000000000000 + i AS TEXT), 2)`;
  const [orgId, userId, firstKey, secondKey] = ['001', '002', '003', '004'].map(id);
  const expiresAt = nowMs + 300 * dayMs;
  const monthMs = windowAt('month', nowMs).startMs;
  const word = `CASE i % 5 WHEN 0 THEN 'Acme' WHEN 1 THEN 'Globex' WHEN 2 THEN 'Initech' WHEN 3 THEN 'Umbra' ELSE 'Wayne' END`;
  const tier = `CASE i % 10 WHEN 3 THEN 'pro' ELSE 'free' END`;
  const iso = `'2026-01-01T00:00:00.000Z'`;
  const series = (name: string, length: number) =>
    `${name} AS (SELECT CAST(0 AS BIGINT) AS ${name[0]} UNION ALL SELECT ${name[0]} + 1 FROM ${name} WHERE ${name[0]} < ${length - 1})`;
  const each = `WITH RECURSIVE ${series('i_s', count)}`;
  const activeEach = (length: number) => `${each}, ${series('d_s', length)}`;
  const active = `FROM i_s CROSS JOIN d_s WHERE i % 20 = 0`;
  const key = (keyId: string, name: string) => `INSERT INTO api_keys
    (key_id, org_id, user_id, name, digest, hint, token, status, created_at, expires_at) ${each}
    SELECT ${keyId}, ${orgId}, ${userId}, '${name}', '${name}' || i, 'sk_…abcd', CAST('${'t'.repeat(230)}' AS ${bytes}),
      'active', ${createdAt}, ${expiresAt} FROM i_s`;
  const user = 'INSERT INTO users (id, name, email, email_verified, created_at, updated_at)';
  return [
    `INSERT INTO organizations (org_id, name, tier, created_at, revision, cache_secret) ${each}
      SELECT ${orgId}, ${word} || ' ' || i || ' Ltd', ${tier}, ${createdAt}, 1, 'secret' FROM i_s`,
    `${user} ${each} SELECT ${userId}, 'Person ' || i, 'person' || i || '@example.com', 1, ${iso}, ${iso} FROM i_s`,
    `${user} VALUES ('many', 'Many Organizations', '${personWithMany}', 1, ${iso}, ${iso})`,
    `INSERT INTO credentials (id, user_id, provider_id, account_id, password, created_at, updated_at)
      SELECT 'many', 'many', provider_id, 'many', password, ${iso}, ${iso} FROM credentials LIMIT 1`,
    `INSERT INTO members (org_id, user_id, role, created_at) ${each}
      SELECT ${orgId}, ${userId}, 'owner', ${createdAt} FROM i_s`,
    `INSERT INTO members (org_id, user_id, role, created_at) ${each}
      SELECT ${orgId}, 'many', 'admin', ${createdAt} FROM i_s WHERE i % 50 = 0`,
    key(firstKey!, 'production'),
    key(secondKey!, 'staging'),
    `INSERT INTO usage_records (org_id, key_id, day, model, counted, cached, failed, texts, tokens)
      ${activeEach(daysUsed)} SELECT ${orgId}, ${firstKey}, ${dayOf(nowMs)} - d, 'm', 10 + d, 5, 1, 40, 500 ${active}`,
    `INSERT INTO usage_hours (org_id, hour, key_id, model, outcome, error, latency_class, requests, texts, tokens)
      ${activeEach(hoursUsed)} SELECT ${orgId}, ${Math.floor(nowMs / hourMs)} - d, ${firstKey}, 'm', 'counted', '', 12, 10, 30, 400 ${active}`,
    `INSERT INTO request_log (org_id, at, request_id, key_id, model, status, error, outcome, texts, tokens,
      latency_ms, queue_ms, lookup) ${activeEach(10)} SELECT ${orgId}, ${nowMs} - d * ${hourMs}, 'request ' || d, ${firstKey}, 'm', 200, '', 'counted', 3, 40, 5.5, 1, i ${active}`,
    `INSERT INTO key_activity (key_id, last_used_at) ${each} SELECT ${firstKey}, ${nowMs - 60_000} FROM i_s WHERE i % 20 = 0`,
    `INSERT INTO quota_windows (org_id, window_kind, window_start, used) ${each}
      SELECT ${orgId}, 'month', ${monthMs}, 300 FROM i_s WHERE i % 20 = 0`,
    // Those who have left again.
    `INSERT INTO quota_windows (org_id, window_kind, window_start, used) ${each}
      SELECT ${orgId}, 'month', ${monthMs - 61 * dayMs}, 5 FROM i_s WHERE i % 20 IN (2, 4, 6, 8, 10)`,
  ];
}

/** Adds organizations to the database of a service that has started once and is stopped. */
export function seedSqlite(dataDir: string, count: number): void {
  using database = new DatabaseSync(join(dataDir, 'embedgate.db'));
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  for (const statement of statements(count, Date.now(), 'BLOB')) database.exec(statement);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
}

/** The same on Postgres, whose statistics are then as autovacuum keeps them. */
export async function seedPostgres(url: string, count: number): Promise<void> {
  const all = [...statements(count, Date.now(), 'BYTEA'), sums].join(';\n');
  // Without its triggers, which notify of each key.
  await runSql(url, `SET session_replication_role = replica; ${all}`);
  await runSql(url, 'VACUUM ANALYZE');
}
