#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.js';
import { isReady, runInstead } from './own-node.js';

if (isReady()) {
  // In the environment, because threads look there. Where the directory can't be written, Node does without.
  process.env.NODE_COMPILE_CACHE ??= compileCache();
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // A checkout has the sources, the npm package what was compiled from them.
  const sources = new URL('../src/main.ts', import.meta.url);
  const main = existsSync(sources) ? sources : new URL('../dist/main.js', import.meta.url);
  await import(main.href);
} else {
  runInstead(fileURLToPath(import.meta.url), process.argv.slice(2));
}
