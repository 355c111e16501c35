import type { DatabaseSync } from 'node:sqlite';
import { migrations, newerSchemaMessage, schemaVersion } from '../migrations/index.ts';
import { inTransaction } from './database.ts';

/** Brings the schema up to date, in one transaction. Processes that start at once take turns. */
export function migrate(database: DatabaseSync): void {
  if (versionOf(database) === schemaVersion) return;
  inTransaction(database, () => {
    const found = versionOf(database);
    if (found > schemaVersion) throw new Error(newerSchemaMessage(found));
    for (const migration of migrations.slice(found)) {
      for (const statement of migration.statements('sqlite')) database.exec(statement);
    }
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
