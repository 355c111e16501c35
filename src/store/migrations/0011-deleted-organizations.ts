import { columnTypes, type Migration } from './migration.ts';

/**
 * Organizations that were deleted and have left rows in the tables of usage, which are deleted in small steps. No foreign keys lead there. A
 * release that does not know the table deletes all rows with the organization, and leaves this one empty.
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
