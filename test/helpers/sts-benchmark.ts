import { readFile } from 'node:fs/promises';

export interface Pair {
  readonly sentences: readonly [string, string];
  /** 0 (unrelated) to 5 (the same). */
  readonly similarity: number;
}

/** The 1,500 pairs of the STS Benchmark's development set. */
export async function readStsBenchmark(): Promise<Pair[]> {
  const csv = await readFile(new URL('../data/stsb-en-dev.csv', import.meta.url), 'utf8');
  return csv
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const [first, second, similarity] = fields(line);
      return { sentences: [first!, second!], similarity: Number(similarity) };
    });
}

/** RFC 4180, for lines without line breaks in their fields. */
function fields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  );
}

export function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const product = (x: readonly number[], y: readonly number[], meanX: number, meanY: number) =>
    x.reduce((sum, value, i) => sum + (value - meanX) * (y[i]! - meanY), 0);
  return product(a, b, meanA, meanB) / Math.sqrt(product(a, a, meanA, meanA) * product(b, b, meanB, meanB));
}

/** Pearson's correlation of the ranks; equal values share their mean rank. */
export const spearman = (a: readonly number[], b: readonly number[]): number => pearson(ranks(a), ranks(b));

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => values[i]! - values[j]!);
  const ranked = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (const i of order.slice(start, end)) ranked[i] = (start + end - 1) / 2;
    start = end;
  }
  return ranked;
}
