import type { Migration } from './migration.ts';

export const disabledUsers: Migration = {
  version: 7,
  statements: () => [`ALTER TABLE users ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0`],
};
