import type { Migration } from './migration.ts';

/** Does nothing any more: migration 16 sets the deadline of locks. */
export const lockTimeout: Migration = { version: 10, statements: () => [] };
