import { performance } from 'node:perf_hooks';
import type { SealedStore } from '../../embeddings/vector-cache.ts';

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
