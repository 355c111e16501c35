#!/usr/bin/env -S node --max-semi-space-size=16
// Plain JavaScript, so that a Node too old for the rest can still say so.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const required = 24;
if (Number(process.versions.node.split('.')[0]) < required) {
  console.error(
    `Embedgate needs Node ${required}, this is ${process.versions.node}: use "npm start" or "npx embedgate", which bring it along.`,
  );
  process.exit(1);
}
// Compiled once, loaded ready-made afterwards. In the environment, since threads look there; where the directory can't be
// written, Node does without.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../node_modules/.cache/embedgate', import.meta.url),
);
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
await import('../src/main.ts');
