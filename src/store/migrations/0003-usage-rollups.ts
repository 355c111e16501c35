import { columnTypes, type Migration } from './migration.ts';

const figures = ['counted', 'cached', 'failed', 'texts', 'tokens']
  .map((name) => `${name} BIGINT NOT NULL`)
  .join(', ');

/** Adds sums of past months, so that a report about a year need not read the daily rows of each key. */
export const usageRollups: Migration = {
  version: 3,
  statements: (dialect) => {
    const { id } = columnTypes[dialect];
    return [
      // A row means that the two other tables have the complete month, which ends before end_day.
      `CREATE TABLE usage_rolled (
        org_id ${id} NOT NULL,
        first_day BIGINT NOT NULL,
        end_day BIGINT NOT NULL,
        PRIMARY KEY (org_id, first_day)
      )`,
      `CREATE TABLE usage_monthly (
        org_id ${id} NOT NULL,
        first_day BIGINT NOT NULL,
        key_id ${id} NOT NULL,
        ${figures},
        PRIMARY KEY (org_id, first_day, key_id)
      )`,
      `CREATE TABLE usage_by_day (
        org_id ${id} NOT NULL,
        day BIGINT NOT NULL,
        ${figures},
        PRIMARY KEY (org_id, day)
      )`,
    ];
  },
};
