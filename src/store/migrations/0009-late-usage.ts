import { columnTypes, type Migration, readSql } from './migration.ts';

/** Returns the first day after all months that have sums or are being summed up. Null: there are no such months. */
const summedUntil = `CREATE FUNCTION usage_summed_until() RETURNS BIGINT VOLATILE LANGUAGE sql AS $$
    SELECT GREATEST((SELECT max(end_day) FROM usage_rolled), (SELECT max(end_day) FROM usage_rolling))
  $$`;

const functions = () => [
  summedUntil,
  // Restarts the sums of months for which records of these days have arrived late. Reports then read the month's
  // records until it is summed up again. Called after writing the records, under the lock of the organization or its
  // windows.
  readSql(import.meta.url, '0009-usage-touched.sql'),
  // Starts to sum up a month and returns the number of the round. Null: no such organization. The locks wait for
  // transactions that are writing records of the organization; later ones see that the month is being summed up.
  readSql(import.meta.url, '0009-usage-roll-up-begin.sql'),
];

/** Sums up months in small steps, and again when records arrive late. */
export const lateUsage: Migration = {
  version: 9,
  statements: (dialect) => {
    const { id } = columnTypes[dialect];
    return [
      // Months that are being summed up: reports don't use their sums. Late records increment `round`. While after_day
      // is -1, sums of an earlier round remain. After that, the sums include the records up to after_day and after_key.
      `CREATE TABLE usage_rolling (
        org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
        first_day BIGINT NOT NULL,
        end_day BIGINT NOT NULL,
        round BIGINT NOT NULL,
        after_day BIGINT NOT NULL,
        after_key ${id} NOT NULL,
        PRIMARY KEY (org_id, first_day)
      )`,
      `CREATE INDEX usage_rolling_by_end ON usage_rolling (end_day)`,
      `CREATE INDEX usage_rolled_by_end ON usage_rolled (end_day)`,
      ...(dialect === 'postgres' ? functions() : []),
    ];
  },
};
