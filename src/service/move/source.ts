import { dirname, join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isThere } from '../../../packages/small/src/files.ts';
import type { Database } from '../../database/schema.ts';
import { countRowsOf, openAlone, openReader, rowsOf } from '../../database/sqlite/database.ts';
import { hasNewerSteps, migrate } from '../../database/sqlite/migrate.ts';
import { createVectorDatabase } from '../../embeddings/sqlite-vector-database.ts';
import { messageOf, notFound } from '../../errors.ts';

const rowsPerChunk = 1_000;
/** A vector takes 2 KiB, and twice that as JSON. */
const vectorsPerChunk = 500;

/**
 * The source of a move: `embedgate.db`, and the `cache.db` beside it. No other process can open the database until this
 * is closed or its process ends, so that the move misses nothing.
 */
export class MoveSource {
  readonly #database: DatabaseSync;
  readonly #cache: DatabaseSync | undefined;

  /** Brings the schema up to date. Throws `unavailable` if another process has the database open. */
  static async open(path: string): Promise<MoveSource> {
    if (!isThere(path)) throw notFound(`There is no database ${path}`);
    return new MoveSource(path, await openExclusively(path));
  }

  private constructor(path: string, database: DatabaseSync) {
    this.#database = database;
    const cachePath = join(dirname(path), 'cache.db');
    if (!isThere(cachePath)) return;
    createVectorDatabase(cachePath).close();
    this.#cache = openReader(cachePath);
  }

  counts(): TableCounts {
    const counts = movedTables.map((table) => [table, countRowsOf(this.#database, table)]);
    return { ...Object.fromEntries(counts), vectors: this.#cache ? countRowsOf(this.#cache, 'vectors') : 0 };
  }

  rows(table: MovedTable | 'vectors'): Iterable<Row[]> {
    if (table !== 'vectors') return inChunks(this.#database, `SELECT * FROM ${table}`, rowsPerChunk);
    if (!this.#cache) return [];
    return inChunks(this.#cache, 'SELECT key, vector, created_at FROM vectors', vectorsPerChunk);
  }

  activeTokens(nowMs: number): Uint8Array[] {
    return activeTokens(this.#database, nowMs);
  }

  filesLeft(): string[] {
    return filesLeft(this.#database);
  }

  [Symbol.dispose](): void {
    this.#cache?.close();
    this.#database.close();
  }
}

/** Returns the tokens of the API keys that are valid at `nowMs`. */
export function activeTokens(database: DatabaseSync, nowMs: number): Uint8Array[] {
  const active = database.prepare(`SELECT token FROM api_keys WHERE status = 'active' AND expires_at > ?`);
  return rowsOf<{ token: Uint8Array }>(active, nowMs).map(({ token }) => token);
}

/** Returns a line about the files of batches if there are any: their contents are not in the database. */
export function filesLeft(database: DatabaseSync): string[] {
  const count = countRowsOf(database, 'files');
  return count === 0 ? [] : [`Contents of files of batches that are left behind: ${count}`];
}

async function openExclusively(path: string): Promise<DatabaseSync> {
  const database = openAlone(path);
  try {
    await migrate(database);
    if (hasNewerSteps(database))
      throw new Error('a newer release has brought its schema up to date: move it with that one');
    return database;
  } catch (reason) {
    database.close();
    throw new Error(`${path} can't be opened: ${messageOf(reason)}`, { cause: reason });
  }
}

function* inChunks(database: DatabaseSync, sql: string, size: number): Iterable<Row[]> {
  let chunk: Row[] = [];
  for (const row of database.prepare(sql).iterate()) {
    chunk.push(row);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * All tables except the vectors, each after the tables that it refers to. Omits the tables that belong to running
 * processes and that a server on the target may be writing: leases, attempts to sign in, and the numbers of usage
 * batches. The request log stays behind: it has at most some days.
 */
export const movedTables = [
  'installation',
  'upstream_vectors',
  'organizations',
  'deleted_organizations',
  'api_keys',
  'key_activity',
  'quota_windows',
  'limits',
  'usage_records',
  'usage_monthly',
  'usage_by_day',
  'usage_hours',
  'users',
  'sessions',
  'credentials',
  'verifications',
  'two_factors',
  'members',
  'invitations',
  'alert_settings',
  'alerts',
  'notification_targets',
  'deliveries',
  'audit_entries',
] as const satisfies readonly (keyof Database)[];

export type MovedTable = (typeof movedTables)[number];

/** Rows by table. */
export type TableCounts = Readonly<Record<MovedTable | 'vectors', number>>;

export type Row = Record<string, SQLOutputValue>;
