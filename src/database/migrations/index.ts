import { readdirSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { DatabaseKind, Step } from './database-kind.ts';

/**
 * The files of all steps of the schema, by their names in order. A step that was released is never changed or reverted.
 * Steps change tables; functions of Postgres are in postgres/functions.
 */
const steps = new Map(
  readdirSync(new URL('steps', import.meta.url))
    .filter((file) => /^\d{4}-[\w-]+\.[jt]s$/.test(file))
    .sort()
    .map((file) => [file.slice(0, -3), file]),
);

/** The version of the schema is the number of steps that it has taken. */
export const schemaVersion = steps.size;

/** The table with the names of the steps that a database has taken. */
export const stepsTable = 'schema_steps';

/**
 * Takes the next step, if there is one, in a schema of the database. Must be called in a transaction, in which only one
 * process is at a time.
 */
export async function takeStep<D>(db: Kysely<D>, databaseKind: DatabaseKind, schema?: string): Promise<void> {
  const provider = { getMigrations: () => migrationsOf(databaseKind) };
  const migrator = new Migrator({
    db,
    provider,
    migrationTableName: stepsTable,
    ...(schema !== undefined && { migrationTableSchema: schema }),
    migrationLockTableName: 'schema_lock',
    disableTransactions: true,
  });
  const { error } = await migrator.migrateUp();
  if (error !== undefined) throw error;
}

async function migrationsOf(databaseKind: DatabaseKind): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const [name, file] of steps) {
    const { step }: { step: Step } = await import(`./steps/${file}`);
    migrations[name] = {
      async up(db) {
        for (const statement of step[databaseKind]()) await sql.raw(statement).execute(db);
      },
    };
  }
  return migrations;
}

/** Returns the version that the names of the steps taken give. Throws if another program has taken one of them. */
export function versionAfter(taken: readonly string[]): number {
  if (taken.some((name) => !steps.has(name))) throw new Error(newerSchemaMessage(taken.length));
  return taken.length;
}

/** The error for a database with steps that this program doesn't know: it must not change it. */
export function newerSchemaMessage(found: number): string {
  return (
    `The database has schema version ${found}, this program knows versions up to ${schemaVersion}: run the newer ` +
    'program, or begin with an empty database if an earlier checkout or another program made this one'
  );
}

/** The error for the data of a checkout before 1.0. */
export const olderDataMessage =
  'It was created before version 1.0, whose schema this version does not read, or by another program. Start ' +
  'with an empty database';
