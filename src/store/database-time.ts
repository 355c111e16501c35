import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';

/** Returns SQL for the current time, in milliseconds since the Unix epoch. */
export type DatabaseTime = () => RawBuilder<number>;

/** The time of the database, which all replicas share. */
export const postgresTime: DatabaseTime = () =>
  sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT`;

/** The time of a clock: on SQLite, where all processes run on one machine, and in tests that decide the time. */
export function timeOf(clock: Clock): DatabaseTime {
  return () => sql<number>`CAST(${clock.now()} AS BIGINT)`;
}
