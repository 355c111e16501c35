import { LRUCache } from 'lru-cache';

/** Returns a cache of the entries used last. With `max`, the library would reserve memory for all of them at once. */
export const recentEntries = <Value extends object | number>(maxEntries: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
