import { performance } from 'node:perf_hooks';
import { Gather } from '../../packages/small/src/gather.ts';
import { flushSoon } from '../database/housekeeping.ts';
import type { Lease, Pool, Statement } from '../database/postgres/pool.ts';
import { retryIfRolledBack } from '../database/transactions.ts';
import { inSteps } from '../lib/in-steps.ts';
import type { CacheBounds, SealedEntry, SealedStore } from './vector-cache.ts';

type Row = { key: Uint8Array; vector: Uint8Array };

/** Maximum number of lookups per read. Bounds the size of its result. */
const maxLookupsPerRead = 16;
/** Maximum number of rows per pruning statement, which keeps it well within its deadline. */
const maxRowsPerPrune = 500;
/** The key of the advisory lock for pruning: the bytes of "embedgac". */
const pruneLock = '7308605957907898723';

const getStatement: Statement = {
  name: 'get_vectors',
  text: 'SELECT key, vector FROM vectors WHERE key = ANY ($1::BYTEA[])',
};

// Ordered by key, so that replicas that write the same vectors can't deadlock.
const putStatement: Statement = {
  name: 'put_vectors',
  text: `INSERT INTO vectors (key, vector, created_at)
    SELECT key, vector, $3 FROM unnest($1::BYTEA[], $2::BYTEA[]) AS v (key, vector) ORDER BY key
    ON CONFLICT (key) DO UPDATE SET vector = excluded.vector, created_at = excluded.created_at`,
};

const turnQuery = `SELECT pg_try_advisory_xact_lock(${pruneLock}) AS mine, ${flushSoon}`;

/**
 * Skips rows that are just being written again: waiting for them could cause a deadlock, and would delete a new vector.
 */
const oldest = (
  where: string,
): string => `SELECT key, created_at, octet_length(vector) AS bytes FROM vectors ${where}
  ORDER BY created_at, key LIMIT ${maxRowsPerPrune} FOR UPDATE SKIP LOCKED`;

const pruneAgeQuery = `WITH oldest AS MATERIALIZED (${oldest('WHERE created_at < $1')})
  DELETE FROM vectors WHERE key IN (SELECT key FROM oldest)`;

/** A restored database can have the sum without the vectors. No table is smaller than what it has. */
const bytesQuery = `SELECT COALESCE(sum(bytes), 0)::BIGINT AS bytes,
  COALESCE(sum(bytes), 0) > pg_table_size('vectors') AS is_wrong FROM vector_bytes`;

const recountQuery = `UPDATE vector_bytes SET bytes = CASE slot WHEN (SELECT min(slot) FROM vector_bytes)
  THEN (SELECT COALESCE(sum(octet_length(vector)), 0) FROM vectors) ELSE 0 END`;

/** Deletes the oldest vectors, $1 bytes or slightly more. */
const pruneSurplusQuery = `WITH oldest AS MATERIALIZED (${oldest('')}),
  summed AS (SELECT key, sum(bytes) OVER (ORDER BY created_at, key) - bytes AS before FROM oldest)
  DELETE FROM vectors WHERE key IN (SELECT key FROM summed WHERE before < $1)`;

/** The vector cache that all replicas share. Lookups that arrive during a read share the next one. */
export class PostgresVectors implements SealedStore {
  readonly #pool: Pool;
  readonly #reads: Gather<readonly string[], (Uint8Array | undefined)[]>;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#reads = new Gather((lookups) => this.#read(lookups), { maxItems: maxLookupsPerRead });
  }

  get(keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.#reads.add(keys);
  }

  async put(entries: readonly SealedEntry[], nowMs: number): Promise<void> {
    // An upsert must not update the same row twice, so only the last vector of each key is written.
    const byKey = [...new Map(entries.map(({ key, sealed }) => [key, sealed]))];
    await this.#pool.query(putStatement, [
      byKey.map(([key]) => keyBytes(key)),
      byKey.map(([, sealed]) => sealed),
      nowMs,
    ]);
  }

  prune(bounds: CacheBounds, signal?: AbortSignal): Promise<void> {
    return inSteps(() => retryIfRolledBack(() => this.#pruneSome(bounds)), signal);
  }

  /** Deletes the next vectors beyond the bounds, unless another replica is doing so. Returns whether there are more. */
  #pruneSome({ createdBeforeMs, maxBytes }: CacheBounds): Promise<boolean> {
    return this.#inTransaction(async (lease) => {
      const { rows } = await lease.query<{ mine: boolean }>(turnQuery);
      if (!rows[0]?.mine) return false;
      const old = await lease.query(pruneAgeQuery, [createdBeforeMs]);
      if (old.rowCount === maxRowsPerPrune) return true;
      const [size] = (await lease.query<{ bytes: number; is_wrong: boolean }>(bytesQuery)).rows;
      if (size!.is_wrong) {
        await lease.query(recountQuery);
        return true;
      }
      const surplus = size!.bytes - maxBytes;
      if (surplus <= 0) return false;
      const { rowCount } = await lease.query(pruneSurplusQuery, [surplus]);
      return rowCount === maxRowsPerPrune;
    });
  }

  async #inTransaction<R>(body: (lease: Lease) => Promise<R>): Promise<R> {
    const lease = await this.#pool.lease();
    let done = false;
    try {
      await lease.query('BEGIN');
      const result = await body(lease);
      await lease.query('COMMIT');
      done = true;
      return result;
    } finally {
      lease.release(!done);
    }
  }

  async #read(lookups: readonly (readonly string[])[]): Promise<(Uint8Array | undefined)[][]> {
    const keys = [...new Set(lookups.flat())];
    const rows = keys.length === 0 ? [] : await this.#pool.query<Row>(getStatement, [keys.map(keyBytes)]);
    const byKey = new Map(rows.map((row) => [Buffer.from(row.key).toString('latin1'), row]));
    return lookups.map((wanted) => wanted.map((key) => byKey.get(key)?.vector));
  }
}

function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'latin1');
}

/** How long lookups are skipped after one that failed or was too slow. Then a single lookup tries again. */
const pauseMs = 1_000;

/**
 * Wraps `store` so that lookups never delay a request for long. While the table is locked or the network is down,
 * requests find nothing immediately, and no lookups pile up.
 */
export function boundedLookups(store: SealedStore, deadlineMs: number): SealedStore {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let isTrying = false;
  const get = async (keys: readonly string[]): Promise<(Uint8Array | undefined)[]> => {
    const isAway = pausedUntilMs > Number.NEGATIVE_INFINITY;
    if (isAway && (isTrying || performance.now() < pausedUntilMs)) return keys.map(() => undefined);
    isTrying = isAway;
    try {
      const found = await inTime(store.get(keys), deadlineMs);
      pausedUntilMs = Number.NEGATIVE_INFINITY;
      return found;
    } catch (reason) {
      pausedUntilMs = performance.now() + pauseMs;
      throw reason;
    } finally {
      isTrying = false;
    }
  };
  return {
    get,
    put: (entries, nowMs) => store.put(entries, nowMs),
    prune: (bounds, signal) => store.prune(bounds, signal),
  };
}

/** Rejects if `looking` takes longer than the deadline. */
function inTime<R>(looking: Promise<R>, deadlineMs: number): Promise<R> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // After a blocked event loop, handles a response that has already arrived first.
      setImmediate(() => reject(new Error(`The cached vectors could not be read within ${deadlineMs} ms`)));
    }, deadlineMs);
    looking.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
