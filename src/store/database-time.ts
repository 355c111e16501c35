import { type RawBuilder, sql } from 'kysely';

/**
 * The time at which a statement runs, in milliseconds since the Unix epoch. Null: the clock of the database, which all replicas share. On
 * SQLite, where one machine has all processes, the caller's clock takes its place.
 */
export function timeOf(nowMs: number | null): RawBuilder<number> {
  if (nowMs !== null) return sql<number>`CAST(${nowMs} AS BIGINT)`;
  return sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT`;
}
