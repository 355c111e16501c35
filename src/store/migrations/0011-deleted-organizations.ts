import { columnTypes, type Migration } from './migration.ts';

/**
 * Lists deleted organizations that may have rows in the usage tables, which no foreign keys cover. The rows are deleted
 * in small steps. Releases that don't know this table delete all rows with the organization, and leave this table
 * empty.
 */
export const deletedOrganizations: Migration = {
  version: 11,
  statements: (dialect) => [
    `CREATE TABLE deleted_organizations (
      org_id ${columnTypes[dialect].id} PRIMARY KEY,
      deleted_at BIGINT NOT NULL
    )`,
  ],
};
