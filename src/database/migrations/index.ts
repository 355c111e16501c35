import { readdirSync } from 'node:fs';
import { version as ownRelease } from '../../version.ts';
import type { DatabaseKind, Step } from './database-kind.ts';

/** The table with the names of the steps that a database has taken. */
export const stepsTable = 'schema_steps';

/** Runs a statement, and returns the number of rows that it has changed. */
type Run = (statement: string) => Promise<number>;

/** The steps of the schema in a directory. */
export type Steps = ReturnType<typeof stepsIn>;

/**
 * Returns the steps in a directory, by the names of their files in order. A step that was released is never changed or
 * reverted. Steps change tables; functions of Postgres are in postgres/functions.
 */
export function stepsIn(directory: URL) {
  const files = readdirSync(directory)
    .filter((file) => /^\d{4}-(\d+\.\d+-)?[\w-]+\.[jt]s$/.test(file))
    .sort();
  const names = files.map((file) => file.slice(0, -3));
  const load = async (place: number): Promise<Step> =>
    (await import(new URL(files[place]!, directory).href)).step;
  return {
    /** The version of the schema is the number of steps that it has taken. */
    version: names.length,

    names,

    /** Returns whether a newer release has taken steps that are not these. */
    isBehind: (taken: readonly string[]): boolean => taken.some((name) => !names.includes(name)),

    /** Returns the step after a version. */
    load,

    /** Takes the step after a version, in a transaction in which only one process is at a time, unless the step is online. */
    async take(version: number, databaseKind: DatabaseKind, run: Run): Promise<void> {
      const { isOnline = false, [databaseKind]: statements } = await load(version);
      await run(
        `CREATE TABLE IF NOT EXISTS ${stepsTable} (name VARCHAR(255) PRIMARY KEY, timestamp VARCHAR(255) NOT NULL)`,
      );
      for (const statement of statements()) {
        let changed = await run(statement);
        while (isOnline && changed > 0) changed = await run(statement);
      }
      await run(`INSERT INTO ${stepsTable} VALUES ('${names[version]}', '${new Date().toISOString()}')`);
    },

    /**
     * Returns the number of these steps that were taken before the first one that was not. Throws if a newer release, or
     * another program, has taken one on whose result this release can't serve.
     */
    versionAfter(taken: readonly string[]): number {
      if (!taken.every((name) => names.includes(name) || isReadable(name)))
        throw new Error(newerSchemaMessage(taken.length));
      const next = names.findIndex((name) => !taken.includes(name));
      return next < 0 ? names.length : next;
    },
  };
}

/** Reports whether the name of a step states that this release can serve on its result, such as `0002-1.0-key-notes`. */
function isReadable(name: string): boolean {
  const [, major, minor] = /^\d{4}-(\d+)\.(\d+)-/.exec(name)?.map(Number) ?? [];
  const [ownMajor, ownMinor] = ownRelease.split('.').map(Number);
  return major === ownMajor && minor! <= ownMinor!;
}

export const ownSteps = stepsIn(new URL('steps/', import.meta.url));
export const schemaVersion = ownSteps.version;

/** The error for a database with steps that this program doesn't know: it must not change it. */
function newerSchemaMessage(found: number): string {
  return (
    `The database has schema version ${found}, this program knows versions up to ${schemaVersion}: run the newer ` +
    'program, or begin with an empty database if an earlier checkout or another program made this one'
  );
}

/** The error for the data of a checkout before 1.0. */
export const olderDataMessage =
  'It was created before version 1.0, whose schema this version does not read, or by another program. Start ' +
  'with an empty database';
