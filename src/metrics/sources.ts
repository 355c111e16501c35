import type { Batcher } from '../embeddings/batcher.ts';
import type { ServedModel } from '../embeddings/served-model.ts';
import type { VectorCacheStats } from '../embeddings/vector-cache.ts';

/** Figures that others keep, asked for when Prometheus asks. */
export interface MetricSources {
  readonly cache: () => VectorCacheStats;
  readonly queue: () => Batcher['stats'];
  readonly models: () => readonly Pick<ServedModel, 'model' | 'upstreams'>[];
  /** Whether changes made elsewhere are heard. */
  readonly hearing: () => boolean;
}
