import { sql } from 'kysely';
import type { Unit } from './period.ts';
import { type Senders, usageFigures } from './reports.ts';

export const figureList = sql.join(usageFigures.map((figure) => sql.ref(figure)));

/** The cast is for Postgres, which sums BIGINT as NUMERIC, and returns that as text. */
export const summedFigures = sql.join(
  usageFigures.map((figure) => sql`CAST(SUM(${sql.ref(figure)}) AS BIGINT) AS ${sql.ref(figure)}`),
);

/** Returns the end of a condition on the rows of an organization. */
export const sentBy = (keyIds: Senders) =>
  keyIds === null ? sql`` : sql`AND key_id IN (${sql.join(keyIds)})`;

const requestsIf = (condition: string) => sql.raw(`CASE WHEN ${condition} THEN requests ELSE 0 END`);
const hourRecords = sql`(SELECT org_id, hour AS day, key_id, model, ${requestsIf("outcome = 'counted'")} AS counted,
  ${requestsIf("outcome = 'cached'")} AS cached, ${requestsIf("outcome IN ('refused', 'failed')")} AS failed, texts, counted_texts,
  tokens, counted_tokens, truncated, cost FROM usage_hours WHERE error <> 'invalid_api_key') AS records`;

/**
 * Returns the records of usage by day, or those by hour, whose `day` is the hour. Neither has what a revoked key sent.
 * Several records by hour have the same hour, key and model.
 */
export const recordsBy = (unit: Unit) => (unit === 'hour' ? hourRecords : sql`usage_records AS records`);
