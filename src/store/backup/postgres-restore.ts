import { text } from 'node:stream/consumers';
import type { Client } from 'pg';
import { ServiceError } from '../../errors.ts';
import { movedTables } from '../move/tables.ts';
import { migratePostgres, versionOf } from '../postgres/migrate.ts';
import { countRows, existingTables, insertRows, inTransaction, requireEmpty } from '../postgres/rows.ts';
import { exclusively, withSession } from '../postgres/session.ts';
import { readArchive } from './archive-reader.ts';
import type { RestoreOptions } from './backup.ts';
import { type Manifest, manifestName } from './manifest.ts';

const tableFile = /^tables\/(\w+)\/\d+\.jsonl$/;
/** The tables that must be empty before a restore. */
const filledTables = [...movedTables, 'vectors'];

/**
 * Restores a verified archive into an empty Postgres. Inserts all rows in one transaction, so if it is killed before
 * the end, the database stays empty, and it can be run again. Throws `invalid_request` if the database has data.
 */
export async function restorePostgres(
  url: string,
  path: string,
  { manifest, signer, onBytes }: RestoreOptions,
): Promise<void> {
  await withSession(url, async (client) => {
    await requireEmpty(client, await existingTables(client, filledTables));
    const version = await versionOf(client);
    if (version > manifest.schemaVersion) {
      throw new ServiceError(
        'invalid_request',
        `The target has schema version ${version}, the backup has ${manifest.schemaVersion}: restore into a new database, which is then migrated`,
      );
    }
  });
  await migratePostgres(url, { through: manifest.schemaVersion });
  await exclusively(url, () =>
    withSession(url, (client) => inTransaction(client, () => fill(client, path, manifest, onBytes))),
  );
  await migratePostgres(url, { signer });
}

async function fill(
  client: Client,
  path: string,
  { tables }: Manifest,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // A service that starts meanwhile waits for this lock, and then finds everything restored.
  await client.query('LOCK TABLE installation, organizations IN ACCESS EXCLUSIVE MODE');
  const existing = await existingTables(client, filledTables);
  await requireEmpty(client, existing);
  for await (const { name, content } of readArchive(path, onBytes)) {
    if (name === manifestName) break;
    const [, table = ''] = tableFile.exec(name) ?? [];
    if (!(table in tables)) {
      throw new ServiceError('invalid_request', `The backup has a file that does not belong there: ${name}`);
    }
    const lines = (await text(content)).trimEnd().split('\n');
    await insertRows(client, table, `[${lines.join(',')}]`);
  }
  const stated: Readonly<Record<string, number>> = tables;
  for (const [table, count] of Object.entries(await countRows(client, existing))) {
    const expected = stated[table] ?? 0;
    if (count !== expected) throw new Error(`${table} has ${count} rows, and ${expected} in the backup`);
  }
}

/** Throws `unavailable` if a service or a command, which set their application name, is connected to the database. */
export async function requireUnused(url: string): Promise<void> {
  const { rows } = await withSession(url, (client) =>
    client.query<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'embedgate' AND pid <> pg_backend_pid()`,
    ),
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  throw new ServiceError(
    'unavailable',
    `The database is in use by ${count} connection${count === 1 ? '' : 's'} of Embedgate: stop the servers, then run this again`,
  );
}
