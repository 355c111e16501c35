#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.js';
import { endWithParent, isReady, runInstead } from './own-node.js';

// `npx` starts a shell, which passes no signals on. The npm scripts have the shell replace itself instead: see
// package.json.
if (process.env.npm_command === 'exec') endWithParent();

if (isReady()) {
  // In the environment, because threads read it there. If the directory can't be written, Node does without it.
  process.env.NODE_COMPILE_CACHE ??= compileCache();
  // Four is Node's own number: a password may take one and names of webhooks two, and files and signatures
  // need some too.
  process.env.UV_THREADPOOL_SIZE ??= '8';
  // Otherwise the tokenizer's library divides a batch among all cores, and takes half as much time again of each.
  process.env.TOKENIZERS_PARALLELISM ??= 'false';
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // A checkout has the sources; the npm package has what was compiled from them.
  if (existsSync(new URL('../src/main.ts', import.meta.url))) await import('../src/main.ts');
  else await import(new URL('../dist/src/main.js', import.meta.url).href);
} else {
  runInstead(fileURLToPath(import.meta.url), process.argv.slice(2));
}
