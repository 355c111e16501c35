import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a directory for what tests and benchmarks download, in the person's cache and not in the checkout, because it
 * takes gigabytes and other checkouts need the same.
 */
export function cacheDirectory(...names: readonly string[]): string {
  const home = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(home, 'embedgate', ...names);
}
