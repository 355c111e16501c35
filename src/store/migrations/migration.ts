import { readFileSync } from 'node:fs';

export type Dialect = 'sqlite' | 'postgres';

/** A step of the schema. Once released, it is never changed or reverted. */
export interface Migration {
  readonly version: number;
  readonly statements: (dialect: Dialect) => readonly string[];
  /**
   * Before this step, the upgrade re-signs every valid token, in many small transactions, to bind the digest of its
   * key.
   */
  readonly bindsTokens?: true;
}

/** Returns the statement in the file `name`, which is in the same directory as the module `moduleUrl`. */
export function readSql(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), 'utf8').trimEnd();
}

/** `id` sorts by bytes, whatever the locale of the database, so that lists have the same order everywhere. */
export interface ColumnTypes {
  readonly id: string;
  readonly bytes: string;
}

export const columnTypes: Readonly<Record<Dialect, ColumnTypes>> = {
  sqlite: { id: 'TEXT', bytes: 'BLOB' },
  postgres: { id: 'TEXT COLLATE "C"', bytes: 'BYTEA' },
};
