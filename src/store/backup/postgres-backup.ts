import { join } from 'node:path';
import type { Client } from 'pg';
import { isoTime } from '../../lib/clock.ts';
import { movedTables } from '../move/tables.ts';
import { versionOf } from '../postgres/migrate.ts';
import { countRows, existingTables, inTransaction } from '../postgres/rows.ts';
import { exclusively, withSession } from '../postgres/session.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { type BackupRequest, type FinishedBackup, progressTowards } from './backup.ts';
import { SignedBy } from './signed-by.ts';

/** Maximum number of rows per file. Bounds the memory. */
const rowsPerFile = 1_000;

/** The transaction sees the database as of its first statement, and blocks no writers. */
const snapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

type KeyRow = { status: string; token: string; expires_at: number };

/**
 * Writes all rows except the vectors into an archive in `stage`, as lines of JSON: `tables/<table>/<number>.jsonl`.
 * Throws if the schema is newer than this program.
 */
export function backUpPostgres(url: string, request: BackupRequest): Promise<FinishedBackup> {
  return exclusively(url, () =>
    withSession(url, (client) => inTransaction(client, () => backUp(client, request), snapshot)),
  );
}

async function backUp(client: Client, request: BackupRequest): Promise<FinishedBackup> {
  const { stage, nowMs, onProgress } = request;
  await client.query(`SET LOCAL bytea_output = 'hex'`);
  const schemaVersion = await versionOf(client);
  const tables = await countRows(client, await existingTables(client, movedTables));
  const step = progressTowards(
    Object.values(tables).reduce((sum, count) => sum + count, 0),
    onProgress,
  );
  const signedBy = new SignedBy(nowMs);
  const archive = join(stage, 'backup.tar.gz');
  await using writer = new ArchiveWriter(archive, nowMs);
  for (const table of Object.keys(tables)) {
    let file = 0;
    for await (const lines of linesOf(client, table)) {
      file += 1;
      await writer.addText(`tables/${table}/${String(file).padStart(6, '0')}.jsonl`, lines.join(''));
      if (table === 'api_keys') for (const line of lines) signedBy.add(keyOf(JSON.parse(line)));
      step(lines.length);
    }
  }
  const about = {
    ...request.about,
    schemaVersion,
    store: 'postgres' as const,
    createdAt: isoTime(nowMs),
    tables,
    signedBy: signedBy.counts,
  };
  await writer.finish(about);
  return { archive, about };
}

async function* linesOf(client: Client, table: string): AsyncGenerator<string[]> {
  await client.query(
    `DECLARE backed_up NO SCROLL CURSOR FOR SELECT row_to_json(t)::TEXT AS line FROM ${table} AS t`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${rowsPerFile} FROM backed_up`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => `${line}\n`);
  }
  await client.query('CLOSE backed_up');
}

/** In JSON, Postgres writes a BYTEA as `\x` and hexadecimal digits. */
function keyOf({ status, token, expires_at: expiresAt }: KeyRow) {
  return { status, token: new Uint8Array(Buffer.from(token.slice(2), 'hex')), expiresAt };
}
