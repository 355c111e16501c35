import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { messageOf, ServiceError } from '../../errors.ts';
import type { TokenSigner } from '../bind-before-step.ts';
import { openAlone, openReader, rowOf, rowsOf } from '../sqlite/database.ts';
import { migrate } from '../sqlite/migrate.ts';
import { type MovedTable, movedTables, type Row, type TableCounts } from './tables.ts';

const rowsPerChunk = 1_000;
/** A vector takes 2 KiB, and twice that as JSON. */
const vectorsPerChunk = 500;

/** An active key, with the values that its token must bind. */
export interface ActiveKey {
  readonly keyId: string;
  readonly orgId: string;
  readonly tier: string;
  readonly expiresAt: number;
  readonly digest: string;
  readonly token: Uint8Array;
}

/**
 * The source of a move: `embedgate.db`, and the `cache.db` beside it. No other process can open the database until this
 * is closed or its process ends, so that the move misses nothing.
 */
export class MoveSource {
  readonly #database: DatabaseSync;
  readonly #cache: DatabaseSync | undefined;

  /** Brings the schema up to date. Throws `unavailable` if another process has the database open. */
  static async open(path: string, signer: TokenSigner): Promise<MoveSource> {
    if (!existsSync(path)) throw new ServiceError('not_found', `There is no database ${path}`);
    return new MoveSource(path, await openExclusively(path, signer));
  }

  private constructor(path: string, database: DatabaseSync) {
    this.#database = database;
    const cachePath = join(dirname(path), 'cache.db');
    this.#cache = existsSync(cachePath) ? openReader(cachePath) : undefined;
  }

  /** The id of the oldest organization, which identifies the database. Undefined: there are no organizations. */
  get id(): string | undefined {
    const sql = 'SELECT org_id FROM organizations ORDER BY created_at, org_id LIMIT 1';
    return rowOf<{ org_id: string }>(this.#database.prepare(sql))?.org_id;
  }

  counts(): TableCounts {
    const counts = movedTables.map((table) => [table, countIn(this.#database, table)]);
    return { ...Object.fromEntries(counts), vectors: this.vectorsUpTo(Number.MAX_SAFE_INTEGER) };
  }

  rows(table: MovedTable): Iterable<Row[]> {
    return inChunks(this.#database, `SELECT * FROM ${table}`, [], rowsPerChunk);
  }

  /** Returns the number of vectors with ids up to `id`. Ids grow in the order of writing. */
  vectorsUpTo(id: number): number {
    return this.#cache ? countIn(this.#cache, 'vectors WHERE id <= ?', id) : 0;
  }

  /** Returns the vectors with greater ids, in order. `id` is one of the columns. */
  *vectorsAfter(id: number): Iterable<Row[]> {
    if (!this.#cache) return;
    yield* inChunks(
      this.#cache,
      'SELECT id, key, vector, token_count, created_at FROM vectors WHERE id > ? ORDER BY id',
      [id],
      vectorsPerChunk,
    );
  }

  activeKeys(nowMs: number): ActiveKey[] {
    const sql = `SELECT key_id AS keyId, org_id AS orgId, tier, expires_at AS expiresAt, digest, token
         FROM api_keys JOIN organizations USING (org_id) WHERE status = 'active' AND expires_at > ?`;
    return rowsOf<ActiveKey>(this.#database.prepare(sql), nowMs);
  }

  [Symbol.dispose](): void {
    this.#cache?.close();
    this.#database.close();
  }
}

async function openExclusively(path: string, signer: TokenSigner): Promise<DatabaseSync> {
  const database = openAlone(path);
  try {
    await migrate(database, signer);
    return database;
  } catch (reason) {
    database.close();
    throw new Error(`${path} can't be opened: ${messageOf(reason)}`, { cause: reason });
  }
}

function countIn(database: DatabaseSync, from: string, ...values: SQLInputValue[]): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM ${from}`).get(...values)?.count);
}

function* inChunks(
  database: DatabaseSync,
  sql: string,
  values: SQLInputValue[],
  size: number,
): Iterable<Row[]> {
  let chunk: Row[] = [];
  for (const row of database.prepare(sql).iterate(...values)) {
    chunk.push(row);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
