import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// Pixel by pixel comparison with the pictures in the repository.

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}
interface Png extends Picture {
  readonly sync: never;
}
type PngModule = {
  readonly PNG: {
    new (size: object): Png;
    readonly sync: { read(png: Buffer): Png; write(png: Png): Buffer };
  };
};
type Compare = (
  a: Uint8Array,
  b: Uint8Array,
  out: Uint8Array | null,
  width: number,
  height: number,
  options: { threshold: number },
) => number;

const require = createRequire(import.meta.url);
const { PNG } = require('pngjs') as PngModule;
const { default: pixelmatch } = (await import(require.resolve('pixelmatch'))) as { default: Compare };

const pathOf = (directory: string, name: string): string =>
  fileURLToPath(new URL(`${directory}/${name}.png`, import.meta.url));

/** The part of the pixels that may differ. */
const maxDifference = 0.001;

/** Keeps a picture as the one that later runs compare theirs with. */
export function keep(name: string, png: Buffer): void {
  mkdirSync(fileURLToPath(new URL('baseline', import.meta.url)), { recursive: true });
  writeFileSync(pathOf('baseline', name), png);
}

/** Returns the part of the pixels that differ from the kept picture, or why they can't be compared. */
function differenceOf(name: string, png: Buffer): number | string {
  if (!existsSync(pathOf('baseline', name))) return 'there is no picture of it yet';
  const [now, before] = [png, readFileSync(pathOf('baseline', name))].map((file) => PNG.sync.read(file)) as [
    Png,
    Png,
  ];
  const { width, height } = now;
  if (width !== before.width || height !== before.height) {
    return `it is ${width} × ${height} pixels, and was ${before.width} × ${before.height}`;
  }
  return pixelmatch(now.data, before.data, null, width, height, { threshold: 0.1 }) / (width * height);
}

/** Returns what is wrong with a picture, or null. Writes a wrong one to .cache/looks, to look at. */
export function faultOf(name: string, png: Buffer): string | null {
  const difference = differenceOf(name, png);
  if (typeof difference === 'number' && difference <= maxDifference) return null;
  const directory = new URL('../../.cache/looks/', import.meta.url);
  mkdirSync(directory, { recursive: true });
  const file = fileURLToPath(new URL(`${name}.png`, directory));
  writeFileSync(file, png);
  const what =
    typeof difference === 'string' ? difference : `${(difference * 100).toFixed(2)} % of its pixels differ`;
  return `${what}: ${file}`;
}
