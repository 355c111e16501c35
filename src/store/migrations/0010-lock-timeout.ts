import type { Migration } from './migration.ts';

/** For longer than a flush takes under load, and so short that the organizations in a flush hardly wait for one whose rows are locked. */
const lockTimeoutMs = 300;

/**
 * A flush carries all organizations that have asked: rows of one that another transaction keeps locked must not hold up the others.
 * Nothing is committed when it gives up, so it is sent again without that one.
 */
export const lockTimeout: Migration = {
  version: 10,
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : ['flush_quota', 'flush_quota_of_one'].map(
          (name) => `ALTER FUNCTION ${name} SET lock_timeout = ${lockTimeoutMs}`,
        ),
};
