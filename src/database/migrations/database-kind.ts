export type DatabaseKind = 'sqlite' | 'postgres';

/** What differs between the databases in the statements that create tables. */
export interface ColumnTypes {
  /** Sorts by bytes, whatever the locale of the database, so that lists have the same order everywhere. */
  readonly id: string;
  readonly bytes: string;
  /** A number that grows with each row. */
  readonly serial: string;
  /** By default a random number of at most 31 bits. */
  readonly random: string;
  /** Follows the columns of a table whose rows are stored in the order of its primary key. */
  readonly clustered: string;
}

/** One step of the schema: the statements for each database. */
export interface Step extends Readonly<Record<DatabaseKind, () => readonly string[]>> {
  /** The tables from which the step deletes rows. On SQLite, a step that deletes others is undone. */
  readonly deletesFrom?: readonly string[];
  /**
   * On Postgres, the statements run one by one outside of a transaction, each until it changes no row. They must be safe to
   * repeat, such as `CREATE INDEX CONCURRENTLY IF NOT EXISTS`, or an `UPDATE` of the next thousand
   * rows whose condition excludes those that it has changed.
   */
  readonly isOnline?: true;
}
