import {
  CamelCasePlugin,
  type DeleteResult,
  type InsertResult,
  type RawBuilder,
  sql,
  type UpdateResult,
} from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Unit } from '../usage/period.ts';
import { usageFigures } from '../usage/reports.ts';

/** Gives the columns camel-case names, so that a row has the fields of its record. Tables keep their names. */
export const columnNames = new CamelCasePlugin();

/** Runs an INSERT, an UPDATE or a DELETE. Returns whether it has changed any row. */
export async function changesAny(write: {
  executeTakeFirst(): Promise<InsertResult | UpdateResult | DeleteResult>;
}): Promise<boolean> {
  const result: Partial<InsertResult & UpdateResult & DeleteResult> = await write.executeTakeFirst();
  return !!(result.numInsertedOrUpdatedRows || result.numUpdatedRows || result.numDeletedRows);
}

/** Returns SQL for the current time, in milliseconds since the Unix epoch. */
export type DatabaseTime = () => RawBuilder<number>;

/** The time of the Postgres server, which all replicas share. */
export const postgresTime: DatabaseTime = () =>
  sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT`;

/** The time of a clock: for SQLite, where all processes run on one machine, and for tests that set the time. */
export function timeOf(clock: Clock): DatabaseTime {
  return () => sql<number>`CAST(${clock.now()} AS BIGINT)`;
}

export const figureList = sql.join(usageFigures.map((figure) => sql.ref(figure)));

/** The cast is for Postgres, which sums BIGINT as NUMERIC, and returns that as text. */
export const summedFigures = sql.join(
  usageFigures.map((figure) => sql`CAST(SUM(${sql.ref(figure)}) AS BIGINT) AS ${sql.ref(figure)}`),
);

const requestsIf = (condition: string) => sql.raw(`CASE WHEN ${condition} THEN requests ELSE 0 END`);
const hourRecords = sql`(SELECT org_id, hour AS day, key_id, model, ${requestsIf("outcome = 'counted'")} AS counted,
  ${requestsIf("outcome = 'cached'")} AS cached, ${requestsIf("outcome IN ('refused', 'failed')")} AS failed, texts, tokens,
  truncated FROM usage_hours WHERE error <> 'invalid_api_key') AS hour_records`;

/**
 * Returns the records of usage by day, or those by hour, whose `day` is the hour. Neither has what a revoked key sent.
 * Several records by hour have the same hour, key and model.
 */
export const recordsBy = (unit: Unit) => (unit === 'hour' ? hourRecords : sql.table('usage_records'));
