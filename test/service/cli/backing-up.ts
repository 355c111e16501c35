import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rowsOfSource } from './moving.ts';

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
