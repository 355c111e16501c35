#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A checkout has the source; the npm package has what was compiled from it.
const source = new URL('../src/cli.ts', import.meta.url);
const { main } = await import(
  existsSync(source) ? source.href : new URL('../dist/onnx-int8/src/cli.js', import.meta.url)
);
process.exitCode = await main(process.argv.slice(2));
