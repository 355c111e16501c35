import type { CachedVector, VectorEntry, VectorStore } from '../../embeddings/vector-cache.ts';
import { Gather } from '../../lib/gather.ts';
import type { Pool, Statement } from './pool.ts';

type Row = { key: Uint8Array; vector: Uint8Array<ArrayBuffer>; token_count: number };
type SizeRow = { count: number; vector_bytes: number | null };
type Bounds = { readonly createdBeforeMs: number; readonly maxBytes: number };

/** Lookups that share a read: bounds its answer. */
const maxLookupsPerRead = 16;
/** Rows that one pruning statement deletes at most, so that it is done well within its deadline. */
const maxRowsPerPrune = 2_000;
/** Counting millions of rows takes longer than what a request may wait for. */
const countTimeoutMs = 60_000;
/** Names the pruner's lock among all advisory locks of the database: the bytes of "embedgac". */
const pruneLock = '7308605957907898723';

const getStatement: Statement = {
  name: 'get_vectors',
  text: 'SELECT key, vector, token_count FROM vectors WHERE key = ANY ($1::BYTEA[])',
};

// In the order of the keys, so that replicas that write the same vectors wait for each other, but never in a circle.
const putStatement: Statement = {
  name: 'put_vectors',
  text: `INSERT INTO vectors (key, vector, token_count, created_at)
    SELECT key, vector, token_count, $4 FROM unnest($1::BYTEA[], $2::BYTEA[], $3::INT[]) AS v (key, vector, token_count)
    ORDER BY key
    ON CONFLICT (key) DO UPDATE
      SET vector = excluded.vector, token_count = excluded.token_count, created_at = excluded.created_at`,
};

/**
 * Deletes, oldest first, what is older than the bound or as old with a key up to $2; nothing while another replica does. What is
 * just being written again stays: waiting for it could end in a deadlock, and would delete it although it is new.
 */
const pruneStatement: Statement = {
  name: 'prune_vectors',
  text: `WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${pruneLock}) AS mine),
    oldest AS MATERIALIZED (
      SELECT key FROM vectors
      WHERE (SELECT mine FROM turn) AND (created_at, key) <= ($1::BIGINT, $2::BYTEA)
      ORDER BY created_at, key LIMIT ${maxRowsPerPrune} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM vectors WHERE key IN (SELECT key FROM oldest) RETURNING 1 AS deleted`,
};

const lastSurplusStatement: Statement = {
  name: 'last_surplus_vector',
  text: 'SELECT created_at, key FROM vectors ORDER BY created_at, key OFFSET $1 LIMIT 1',
};

const sizeQuery = `SELECT count(*) AS count,
  (SELECT octet_length(vector) FROM vectors ORDER BY created_at DESC LIMIT 1) AS vector_bytes FROM vectors`;

/** The vectors that all replicas share. Lookups that come while a read is under way share the next one. */
export class PostgresVectors implements VectorStore {
  readonly #pool: Pool;
  readonly #reads: Gather<readonly string[], (CachedVector | undefined)[]>;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#reads = new Gather((lookups) => this.#read(lookups), { maxItems: maxLookupsPerRead });
  }

  get(keys: readonly string[]): Promise<(CachedVector | undefined)[]> {
    return this.#reads.add(keys);
  }

  async put(entries: readonly VectorEntry[], nowMs: number): Promise<void> {
    // An upsert may not meet the same row twice: the last one stays.
    const byKey = [...new Map(entries.map(({ key, value }) => [key, value]))];
    await this.#pool.query(putStatement, [
      byKey.map(([key]) => keyBytes(key)),
      byKey.map(([, { vector }]) => vector),
      byKey.map(([, { tokenCount }]) => tokenCount),
      nowMs,
    ]);
  }

  async prune({ createdBeforeMs, maxBytes }: Bounds): Promise<void> {
    await this.#pruneUpTo(createdBeforeMs, new Uint8Array());
    const { count, vectorBytes } = await this.#size();
    const surplus = count - Math.floor(maxBytes / Math.max(1, vectorBytes));
    if (surplus <= 0) return;
    const [last] = await this.#pool.query<{ created_at: number; key: Uint8Array }>(lastSurplusStatement, [
      surplus - 1,
    ]);
    // By a bound, not by a number: two replicas that prune in turn delete nothing twice.
    if (last) await this.#pruneUpTo(last.created_at, last.key);
  }

  async #pruneUpTo(createdAtMs: number, key: Uint8Array): Promise<void> {
    let deleted: number;
    do {
      deleted = (await this.#pool.query(pruneStatement, [createdAtMs, key])).length;
    } while (deleted === maxRowsPerPrune);
  }

  /** All vectors of a model are of one size; adding up what each row has would read the whole table. */
  async #size(): Promise<{ count: number; vectorBytes: number }> {
    const lease = await this.#pool.lease();
    let done = false;
    try {
      await lease.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${countTimeoutMs}`);
      const { rows } = await lease.query<SizeRow>(sizeQuery, [], countTimeoutMs);
      await lease.query('COMMIT');
      done = true;
      return { count: rows[0]?.count ?? 0, vectorBytes: rows[0]?.vector_bytes ?? 0 };
    } finally {
      lease.release(!done);
    }
  }

  async #read(lookups: readonly (readonly string[])[]): Promise<(CachedVector | undefined)[][]> {
    const keys = [...new Set(lookups.flat())];
    const rows = keys.length === 0 ? [] : await this.#pool.query<Row>(getStatement, [keys.map(keyBytes)]);
    const byKey = new Map(rows.map((row) => [Buffer.from(row.key).toString('latin1'), row]));
    return lookups.map((wanted) => wanted.map((key) => toVector(byKey.get(key))));
  }
}

function toVector(row: Row | undefined): CachedVector | undefined {
  return row && { vector: new Float32Array(row.vector.buffer), tokenCount: row.token_count };
}

function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'latin1');
}
