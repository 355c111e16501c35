import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Measures what a browser loads before it shows anything, and with each page after that: compressed
// JavaScript, as it is served.

const maxFirstLoadBytes = 200_000;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const dist = new URL('../web/dist/', import.meta.url);
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(new URL('.vite/manifest.json', dist), 'utf8'),
);

function chunk(name: string): Chunk {
  const found = manifest[name];
  if (!found) throw new Error(`the manifest has no ${name}`);
  return found;
}

/**
 * The chunk and all that it loads: its imports, and those that it imports when it needs them, since a page may need them
 * each time. Only the entry loads one of many, the page.
 */
function closure(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const { isEntry, imports = [], dynamicImports = [] } = chunk(name);
  for (const loaded of isEntry ? imports : [...imports, ...dynamicImports]) closure(loaded, seen);
  return seen;
}

const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
if (!entry) throw new Error(`${fileURLToPath(dist)} has no entry`);
const pages = (chunk(entry).dynamicImports ?? []).filter((name) => name.includes('pages/'));
/** The frames of a page, which are loaded with it. */
const frames: Readonly<Record<string, string>> = {
  'pages/': 'pages/shell.tsx',
  'pages/organization/': 'pages/organization/organization.tsx',
};
const framesOf = (page: string): string[] =>
  Object.entries(frames).flatMap(([below, frame]) =>
    page.includes(below) ? pages.filter((name) => name.endsWith(frame)) : [],
  );
const sizeBytes = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + statSync(new URL(`${chunk(name).file}.br`, dist)).size, 0);

let largest = 0;
for (const page of pages) {
  const loaded = new Set([entry, ...framesOf(page), page].flatMap((name) => [...closure(name)]));
  const bytes = sizeBytes(loaded);
  largest = Math.max(largest, bytes);
  console.log(`${(bytes / 1_000).toFixed(1).padStart(6)} KB  ${page.replace('src/pages/', '')}`);
}
console.log(`${(largest / 1_000).toFixed(1)} KB of ${maxFirstLoadBytes / 1_000} KB: the largest first load`);
if (largest === 0 || largest > maxFirstLoadBytes) process.exitCode = 1;
