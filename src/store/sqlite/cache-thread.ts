import { workerData } from 'node:worker_threads';
import { answerInTurn } from './answer-in-turn.ts';
import { openVectorDatabase } from './vector-database.ts';
import { sqliteVectors } from './vectors.ts';

// The thread that writes the vector cache: no quota decision waits for a vector, for pruning, or for a checkpoint of this file.

export interface CacheData {
  readonly cache: string;
}

export type CacheStores = typeof stores;

const database = openVectorDatabase((workerData as CacheData).cache);

const stores = answerInTurn(
  () => ({ vectors: sqliteVectors(database) }),
  () => database.close(),
);
