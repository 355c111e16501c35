import { columnTypes, type Migration } from './migration.ts';

/** The vectors of known texts when each upstream's model was first used, so that a changed model is noticed. */
export const upstreamVectors: Migration = {
  version: 17,
  statements: (dialect) => [
    `CREATE TABLE upstream_vectors (
      fingerprint ${columnTypes[dialect].id} PRIMARY KEY,
      vectors ${columnTypes[dialect].bytes} NOT NULL
    )`,
  ],
};
