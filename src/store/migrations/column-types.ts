import type { Dialect } from './migration.ts';

/** `id` sorts by its bytes, whatever the database's language, so that lists are in one order everywhere. */
export interface ColumnTypes {
  readonly id: string;
  readonly bytes: string;
}

export const columnTypes: Readonly<Record<Dialect, ColumnTypes>> = {
  sqlite: { id: 'TEXT', bytes: 'BLOB' },
  postgres: { id: 'TEXT COLLATE "C"', bytes: 'BYTEA' },
};
