import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { readConfig } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { allRows } from '../../../src/lib/page.ts';
import { dayOf } from '../../../src/quota/window.ts';
import { openCore } from '../../../src/service/core.ts';
import { movedTables } from '../../../src/service/move/source.ts';
import { askOf } from '../../helpers/asks.ts';
import { eventually } from '../../helpers/eventually.ts';
import { runSql } from '../../helpers/postgres.ts';
import { addUsage } from '../../helpers/stored.ts';

/**
 * A data directory with something in every table: organizations of all tiers, keys in all states, unusual
 * bytes and names.
 */
export async function fillDataDirectory(dataDir: string, vectors: number): Promise<string[]> {
  const core = await openCore(readConfig({ DATA_DIR: dataDir }), systemClock);
  const secrets: string[] = [];
  await core.organizations.createFirst({ name: 'Default', tier: 'free' });
  await core.organizations.finishFirst();
  const custom = { amount: 7, window: 'hour' } as const;
  await core.organizations.create({ name: 'Ünïcode “名” 🙂 \\x00 \\\\', tier: 'enterprise', custom });
  for (const { orgId } of await allRows((page) => core.organizations.list(page))) {
    for (const name of ['one', 'two', 'revoked']) {
      const { secret, key } = await core.keys.create({ orgId, userId: "o'brien", name });
      if (name === 'revoked') await core.keys.revoke(key.keyId);
      else secrets.push(secret);
      await core.ledger.reserve(orgId, askOf(key.keyId));
      const figures = {
        model: 'test-model',
        cached: 1,
        failed: 2,
        texts: 3,
        tokens: 2 ** 40,
        truncated: 1,
        lastUsedAt: 1_700_000_000_123,
      };
      await addUsage(core.stores.usage, [
        { orgId, keyId: key.keyId, day: dayOf(systemClock.now()), ...figures },
      ]);
    }
  }
  // Limits, also of a key that was rotated.
  const [first] = await allRows((page) => core.organizations.list(page));
  const limited = first!.orgId;
  const listed = await allRows((page) => core.keys.list(limited, page));
  const old = listed.find(({ status }) => status === 'active')!;
  const { key: successor, secret } = await core.keys.rotate(old.keyId, 86_400_000);
  secrets.push(secret);
  await core.limits.add(limited, { keyId: null, unit: 'tokens', window: 'month', amount: 1_000 });
  await core.limits.add(limited, { keyId: successor.keyId, unit: 'requests', window: 'day', amount: 5 });
  await core.ledger.reserve(limited, { ...askOf(successor.keyId), limitsKeyId: old.keyId });
  // One that is being deleted and still has its usage.
  const gone = await core.organizations.create({ name: 'Gone' });
  await core.ledger.reserve(gone.orgId, askOf('key of the deleted'));
  await core.organizations.delete(gone.orgId);
  for (let from = 0; from < vectors; from += 1_000) {
    const entries = Array.from({ length: Math.min(1_000, vectors - from) }, (_, i) => ({
      key: Buffer.from(String(from + i).padStart(32, '\xff'), 'latin1').toString('latin1'),
      sealed: new Uint8Array(Float32Array.of(from + i, -0, 1e-45).buffer),
    }));
    // Recent, because a service that runs for a while deletes old ones.
    await core.stores.vectors.put(entries, Date.now() + from);
  }
  await core.close();
  const database = new DatabaseSync(join(dataDir, 'embedgate.db'));
  database.exec("INSERT INTO upstream_vectors (fingerprint, vectors) VALUES ('first', x'0102')");
  database.close();
  return secrets;
}

/** Returns how many usage records of deleted organizations are still in a Postgres. */
export async function leftByDeleted(url: string): Promise<number> {
  const [row] = await runSql(
    url,
    'SELECT count(*)::INT AS n FROM usage_records WHERE org_id NOT IN (SELECT org_id FROM organizations)',
  );
  return row?.n;
}

type Rows = Record<string, unknown>[];

/** Every row of every table of the source, as text that can be compared. */
export function rowsOfSource(dataDir: string): Record<string, string[]> {
  const read = (file: string, sql: string): Rows => {
    const database = new DatabaseSync(`${dataDir}/${file}`, { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };
  const tables = movedTables.map((table) => [
    table,
    comparable(read('embedgate.db', `SELECT * FROM ${table}`)),
  ]);
  const vectors = 'SELECT key, vector, created_at FROM vectors';
  return { ...Object.fromEntries(tables), vectors: comparable(read('cache.db', vectors)) };
}

/** Returns the rows of a Postgres, by table. */
export async function rowsOfTarget(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rows: Record<string, string[]> = {};
  for (const table of [...movedTables, 'vectors']) {
    rows[table] = comparable((await client.query(`SELECT * FROM ${table}`)).rows);
  }
  await client.end();
  return rows;
}

/** For each column: bytes as hexadecimal digits, numbers as digits, since pg returns BIGINT as text. */
function comparable(rows: Rows): string[] {
  const text = (value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value === null ? null : String(value);
  return rows
    .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).map(([k, v]) => [k, text(v)]))))
    .sort();
}

/** The secrets that a server has created beside its database. */
export function secretsOf(dataDir: string): { SIGNING_KEY: string; AUTH_SECRET: string } {
  return {
    SIGNING_KEY: join(dataDir, 'signing-key.pem'),
    AUTH_SECRET: readFileSync(join(dataDir, 'auth-secret'), 'utf8').trim(),
  };
}

/** Ends all other sessions, those of killed processes too, which the server notices only when they don't wait. */
export async function endSessions(url: string): Promise<void> {
  const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await eventually(async () => {
    await runSql(url, `SELECT pg_terminate_backend(pid) ${others}`);
    return (await runSql(url, `SELECT ${others}`)).length === 0;
  });
}

/** How many sessions wait for a lock. */
export async function waiting(url: string): Promise<number> {
  const [row] = await runSql(
    url,
    `SELECT count(*)::INT AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.n;
}

/** What each organization used this month, according to the ledger and to the days of its keys. */
export type Sums = { org_id: string; used: number; counted: number }[];

const sums = `
  SELECT w.org_id, CAST(w.used AS TEXT) AS used, CAST(
    (SELECT COALESCE(sum(counted), 0) FROM usage_records u WHERE u.org_id = w.org_id) AS TEXT) AS counted
  FROM quota_windows w WHERE window_kind = 'month' ORDER BY w.org_id`;

export function sumsOfSqlite(dataDir: string): Sums {
  const database = new DatabaseSync(join(dataDir, 'embedgate.db'), { readOnly: true });
  const rows = database.prepare(sums).all();
  database.close();
  return rows.map(asSum);
}

const asSum = ({ org_id, used, counted }: Record<string, unknown>) => ({
  org_id: String(org_id),
  used: Number(used),
  counted: Number(counted),
});

/** Every row of every table in a backup. */
export function backedUpRows(dataDir: string): Record<string, string[]> {
  const { vectors: _, ...rows } = rowsOfSource(dataDir);
  return rows;
}
