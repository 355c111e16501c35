import type { DatabaseSync } from 'node:sqlite';
import { migrations, newerSchemaMessage, schemaVersion } from '../migrations/index.ts';
import { databasePath, inTransaction, openDatabase } from './database.ts';

/** Brings the schema up to date, in one transaction, and answers how many steps that took. Processes take turns. */
export function migrate(database: DatabaseSync): number {
  if (versionOf(database) === schemaVersion) return 0;
  return inTransaction(database, () => {
    const found = versionOf(database);
    if (found > schemaVersion) throw new Error(newerSchemaMessage(found));
    for (const migration of migrations.slice(found)) {
      for (const statement of migration.statements('sqlite')) database.exec(statement);
    }
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
    return schemaVersion - found;
  });
}

/** The same for the database in a data directory, which is made where there is none. */
export function migrateSqlite(dataDir: string): number {
  const database = openDatabase(databasePath(dataDir), { durable: true });
  try {
    return migrate(database);
  } finally {
    database.close();
  }
}

/** Returns the version of a database's schema; 0 for one without tables. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
