import { type Migration, readSql } from './migration.ts';

/** Longer than a flush takes under load, but short for the organizations that wait with one whose rows are locked. */
const lockTimeoutMs = 300;

/**
 * Creates the function that flushes the ledger on Postgres: of any number of organizations, with limits and without. A
 * call is one transaction and one round trip, and makes the same decisions as src/quota/decide.ts.
 *
 * Counts are exact because an organization's month row is the lock of all its windows and limits: a flush holds it until
 * the commit. A VOLATILE function takes a new snapshot for each of its statements, so statements after the lock read what
 * its last holder has committed.
 *
 * Flushes can't deadlock because they all lock in order of the ids: first the month rows that they have to insert, then
 * the existing ones, then the usage rows. Usage rows are written once, in the order in which `add_usage` writes them.
 *
 * The totals of what organizations and keys ask for are compared with what their quotas and limits have left. Only if one
 * has too little is each run of the organization decided. So the time hardly depends on the number of runs and limits.
 */
const functions = () => [
  'DROP FUNCTION IF EXISTS flush_quota',
  'DROP FUNCTION IF EXISTS flush_quota_of_one',
  'DROP FUNCTION IF EXISTS flush_quota_limited',
  readSql(import.meta.url, '0016-flush-quota.sql'),
  // Makes a flush give up soon if another transaction keeps an organization's rows locked, so that the other
  // organizations in the flush don't wait for it. The flush commits nothing then, and is repeated without that one.
  `ALTER FUNCTION flush_quota SET lock_timeout = ${lockTimeoutMs}`,
];

/** Decides every flush with one function. */
export const oneFlush: Migration = {
  version: 16,
  statements: (dialect) => (dialect === 'postgres' ? functions() : []),
};
