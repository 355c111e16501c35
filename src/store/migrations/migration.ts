export type Dialect = 'sqlite' | 'postgres';

/** One step forward. Steps are never changed once released, and never taken back. */
export interface Migration {
  readonly version: number;
  readonly statements: (dialect: Dialect) => readonly string[];
}
