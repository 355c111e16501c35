import type { DatabaseSync } from 'node:sqlite';
import type { TokenSigner } from '../bind-before-step.ts';
import { bindsTokensAfter, migrations, newerSchemaMessage, schemaVersion } from '../migrations/index.ts';
import { databasePath, inTransaction, openDatabase } from './database.ts';

/**
 * Brings the schema up to date, and returns the number of steps. Re-signs tokens first if a step needs that, and then
 * takes all steps in one transaction. Processes take turns.
 */
export async function migrate(database: DatabaseSync, signer: TokenSigner): Promise<number> {
  if (bindsTokensAfter(versionOf(database))) {
    const [{ kyselyOver }, { bindBeforeStep }] = await Promise.all([
      import('./kysely.ts'),
      import('../bind-before-step.ts'),
    ]);
    await bindBeforeStep(kyselyOver(database), 'sqlite', signer);
  }
  return takeSteps(database);
}

function takeSteps(database: DatabaseSync): number {
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

/** Migrates the database in a data directory. Creates both if needed. */
export async function migrateSqlite(dataDir: string, signer: TokenSigner): Promise<number> {
  const database = openDatabase(databasePath(dataDir), { durable: true });
  try {
    return await migrate(database, signer);
  } finally {
    database.close();
  }
}

export function sqliteVersion(dataDir: string): number {
  const database = openDatabase(databasePath(dataDir), { durable: true });
  try {
    return versionOf(database);
  } finally {
    database.close();
  }
}

/** Returns the version of the schema, 0 if there is none. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
