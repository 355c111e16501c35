#!/usr/bin/env node
// Plain JavaScript, so that a Node too old for the rest can still say so.
const required = 24;
if (Number(process.versions.node.split('.')[0]) < required) {
  console.error(
    `Embedgate needs Node ${required}, this is ${process.versions.node}: use "npm start" or "npx embedgate", which bring it along.`,
  );
  process.exit(1);
}
await import('../src/main.ts');
