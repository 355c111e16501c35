import { usageSums } from '../baseline/sqlite.ts';
import type { Step } from '../dialect.ts';

const figures = ['counted', 'cached', 'failed', 'texts', 'tokens', 'truncated'];

/** `secret`: SQL for a new random text. */
const columns = (secret: string): string[] => [
  // An organization's cached vectors can be found and decrypted only with this.
  `ALTER TABLE organizations ADD COLUMN cache_secret TEXT NOT NULL DEFAULT ''`,
  `UPDATE organizations SET cache_secret = ${secret}`,
  // The number of texts that were cut.
  ...['usage_records', 'usage_monthly', 'usage_by_day'].map(
    (table) => `ALTER TABLE ${table} ADD COLUMN truncated BIGINT NOT NULL DEFAULT 0`,
  ),
];

const randomText = `replace(gen_random_uuid()::TEXT || gen_random_uuid(), '-', '')`;

export const step: Step = {
  sqlite: () => [
    ...columns('lower(hex(randomblob(32)))'),
    'DROP TRIGGER usage_records_insert_sums',
    'DROP TRIGGER usage_records_update_sums',
    ...usageSums(figures),
  ],
  postgres: () => [
    ...columns(randomText),
    // For replicas of a version that doesn't know the column.
    `ALTER TABLE organizations ALTER COLUMN cache_secret SET DEFAULT ${randomText}`,
    'TRUNCATE vectors',
    'ALTER TABLE vectors DROP COLUMN token_count',
  ],
};
