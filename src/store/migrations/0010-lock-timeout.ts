import type { Migration } from './migration.ts';

/** Longer than a flush takes under load, but short for the organizations that wait with one whose rows are locked. */
export const lockTimeoutMs = 300;

/**
 * Makes a flush give up soon if another transaction keeps an organization's rows locked, so that the other
 * organizations in the flush don't wait for it. The flush commits nothing then, and is repeated without that
 * organization.
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
