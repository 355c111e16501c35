import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the directory where Node keeps compiled code for the next start. It is never below node_modules: npm could
 * not delete a directory that a running service writes to. It is never a directory that others can write to, because
 * Node runs what it finds there.
 */
export function compileCache() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  if (existsSync(path.join(root, 'src', 'main.ts'))) return path.join(root, '.cache', 'compiled');
  const caches = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  return path.join(caches, 'embedgate', 'compiled');
}
