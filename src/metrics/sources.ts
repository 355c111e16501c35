import type { Batcher } from '../embeddings/batcher.ts';
import type { ServedModel } from '../embeddings/served-model.ts';
import type { VectorCacheStats } from '../embeddings/vector-cache.ts';
import type { Load } from '../load/load.ts';
import type { LedgerStats } from '../quota/ledger.ts';

/** Figures that other parts of the service maintain. They are read at each scrape. */
export interface MetricSources {
  readonly load: Load;
  readonly cache: () => VectorCacheStats;
  readonly queue: () => Batcher['stats'];
  readonly models: () => readonly Pick<ServedModel, 'model' | 'upstreams'>[];
  /** Whether this process receives changes made elsewhere. */
  readonly hearing: () => boolean;
  readonly ledger: () => LedgerStats;
  /** Usage records waiting to be written. */
  readonly waitingUsage: () => number;
}
