import { performance } from 'node:perf_hooks';
import type { CachedVector, VectorStore } from '../../embeddings/vector-cache.ts';

/** A lookup saves time, so it may not take much: a request that finds nothing in this time computes. */
const deadlineMs = 400;
/** For how long nothing is looked up after a lookup that failed or took too long. Then one tries again. */
const pauseMs = 1_000;

/**
 * Vectors whose lookups never hold a request up for long. While the table is locked or the network is cut, requests find nothing at once,
 * and no lookups gather that wait for each other.
 */
export function boundedLookups(store: VectorStore): VectorStore {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let isTrying = false;
  const get = async (keys: readonly string[]): Promise<(CachedVector | undefined)[]> => {
    const isAway = pausedUntilMs > Number.NEGATIVE_INFINITY;
    if (isAway && (isTrying || performance.now() < pausedUntilMs)) return keys.map(() => undefined);
    isTrying = isAway;
    try {
      const found = await inTime(store.get(keys));
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

/** Rejects when `looking` takes longer than the deadline. */
function inTime<R>(looking: Promise<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // What arrived while the event loop was held up has its turn first.
      setImmediate(() => reject(new Error(`The cached vectors could not be read within ${deadlineMs} ms`)));
    }, deadlineMs);
    looking.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
