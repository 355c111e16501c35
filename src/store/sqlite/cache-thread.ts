import { workerData } from 'node:worker_threads';
import { answerInTurn } from './answer-in-turn.ts';
import type { DatabasePaths } from './database-thread.ts';
import { openVectorDatabase } from './vector-database.ts';
import { SqliteVectors } from './vectors.ts';

// The thread that writes the vector cache: no quota decision waits for a vector, for pruning, or for a checkpoint of this file.

const database = openVectorDatabase((workerData as DatabasePaths).cache);

answerInTurn({ stores: { vectors: new SqliteVectors(database) }, close: () => database.close() });
