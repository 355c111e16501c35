import { readFileSync } from 'node:fs';

/** From package.json, which is beside the sources and beside the compiled files. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
