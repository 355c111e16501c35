import type { Migration } from './migration.ts';

/** Records when a channel's address was confirmed. Existing ones count as confirmed. */
export const confirmedChannels: Migration = {
  version: 18,
  statements: () => [
    'ALTER TABLE notification_targets ADD COLUMN confirmed_at BIGINT',
    'UPDATE notification_targets SET confirmed_at = created_at',
  ],
};
