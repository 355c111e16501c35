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

/** The statements of one step of the schema. */
export type Step = Readonly<Record<DatabaseKind, () => readonly string[]>>;
