import { workerData } from 'node:worker_threads';
import { serveInTurn } from '../../database/sqlite/serve-in-turn.ts';
import { openVectorDatabase } from '../../embeddings/sqlite-vector-database.ts';
import { SqliteVectors } from '../../embeddings/sqlite-vectors.ts';
import type { CacheBounds, SealedEntry } from '../../embeddings/vector-cache.ts';

// The thread that writes the vector cache, so that no quota decision waits for vectors, pruning, or checkpoints of the
// cache.

export interface CacheData {
  readonly cache: string;
}

export type CacheStores = typeof stores;

const { cache }: CacheData = workerData;
const database = openVectorDatabase(cache);
const vectors = new SqliteVectors(database);

const stores = serveInTurn(
  () => ({
    vectors: {
      put: (entries: readonly SealedEntry[], nowMs: number) => vectors.put(entries, nowMs),
      pruneSome: (bounds: CacheBounds) => vectors.pruneSome(bounds),
    },
  }),
  () => database.close(),
);
