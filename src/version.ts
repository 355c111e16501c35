import { readFileSync } from 'node:fs';

/** As package.json has it, which is beside the sources and beside what is compiled from them. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
