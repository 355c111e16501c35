export type Dialect = 'sqlite' | 'postgres';

/** One step forward. Steps are never changed once released, and never taken back. */
export interface Migration {
  readonly version: number;
  readonly statements: (dialect: Dialect) => readonly string[];
  /** Before this step, each valid token is issued again, in many small transactions, so that it binds its key's digest. */
  readonly bindsTokens?: true;
}
