import { columnTypes, type Migration } from './migration.ts';

/**
 * Lists the models whose dtype stays what it was before the default changed. An installation that an older release set
 * up keeps the vectors of its built-in model. A new one has no rows. All replicas share the database, so they agree.
 */
export const keptDtypes: Migration = {
  version: 15,
  statements: (dialect) => [
    `CREATE TABLE kept_dtypes (
      model ${columnTypes[dialect].id} PRIMARY KEY,
      dtype TEXT NOT NULL
    )`,
    `INSERT INTO kept_dtypes (model, dtype)
      SELECT 'universal-sentence-encoder-lite', 'fp32' WHERE EXISTS (SELECT 1 FROM organizations)`,
  ],
};
