import type { DatabaseSync } from 'node:sqlite';
import { bindsTokensAfter, migrations, newerSchemaMessage, schemaVersion } from '../migrations/index.ts';
import type { TokenSigner } from '../token-signer.ts';
import { databasePath, inTransaction, openDatabase } from './database.ts';

/**
 * Brings the schema up to date, and returns how many steps that took. First issues tokens again where a step needs that, then
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

/** The same for the database in a data directory, which is made where there is none. */
export async function migrateSqlite(dataDir: string, signer: TokenSigner): Promise<number> {
  const database = openDatabase(databasePath(dataDir), { durable: true });
  try {
    return await migrate(database, signer);
  } finally {
    database.close();
  }
}

/** Returns the version of a database's schema; 0 for one without tables. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
