import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { earlierOutput } from './earlier-output.ts';
import { embedFile } from './embed-file.ts';
import type { FileJob } from './job.ts';
import { type FileRow, readRows } from './read-rows.ts';

export interface CompareJob extends Pick<FileJob, 'input' | 'field' | 'onProgress' | 'onRetry'> {
  /** Outputs of `embedFile` with the same texts, or servers. */
  readonly sides: readonly (string | Pick<FileJob, 'url' | 'key' | 'fields'>)[];
  /** A directory for the vectors of servers. */
  readonly directory: string;
}

/** The most texts that are searched for, or whose nearest texts are compared. */
const sampleSize = 300;
const nearestCount = 10;
const sending = { batchSize: 64, concurrency: 4, attempts: 8, timeoutMs: 120_000 };

/** Compares the vectors of two sides, and how well a search finds the texts with each. */
export async function compareVectors(job: CompareJob) {
  const rows = await Array.fromAsync(readRows(job.input, job.field));
  const [a, b] = [await measured(job, 0, rows), await measured(job, 1, rows)];
  const comparable = a.dimensions === b.dimensions ? a.vectors : [];
  const cosines = comparable.map((vector, i) => dot(vector, b.vectors[i]!)).sort((x, y) => x - y);
  const kept = sampleOf([...rows.keys()]).map((i) => {
    const [own, others] = [nearest(a.vectors, i), nearest(b.vectors, i)];
    return own.filter((one) => others.includes(one)).length / Math.max(1, own.length);
  });
  return {
    texts: rows.length,
    lowest_cosine: cosines[0] ?? null,
    median_cosine: cosines[cosines.length >> 1] ?? null,
    nearest_kept: meanOf(kept),
    sides: [a, b].map(({ vectors: _, ...side }) => side),
  };
}

/** Returns the unit vectors of the rows on one side, and which share of queries finds its own rows with them. */
async function measured({ directory, sides, ...job }: CompareJob, number: 0 | 1, rows: readonly FileRow[]) {
  const side = sides[number]!;
  const embed = async (input: string, name: string, more: FileJob['fields']) => {
    if (typeof side === 'string') return earlierOutput(side, job.field);
    const output = join(directory, `${number}-${name}.jsonl`);
    const fields = { ...side.fields, ...more };
    await embedFile({ ...job, ...side, ...sending, input, output, fields, isBatch: false, replaces: false });
    return earlierOutput(output, job.field);
  };
  const { source, dimensions, embeddings } = await embed(job.input, 'texts', {});
  const vectors = rows.map(({ text, at }) => {
    const { vector } = embeddings.get(text) ?? {};
    if (!vector) throw new Error(`${side} has no vector of the text in ${at}`);
    return unit(vector);
  });
  const queries = typeof side === 'string' ? [] : sampleOf(rows.flatMap(queryOf));
  const asked = join(directory, `${number}.jsonl`);
  writeFileSync(asked, queries.map(({ query }) => JSON.stringify(query)).join('\n'));
  // A server without fingerprints may not know input types either.
  const type = source.fingerprint === null ? undefined : 'query';
  const found = queries.length > 0 ? await embed(asked, 'queries', { input_type: type }) : undefined;
  const ranks = queries.map(({ query, index }) => {
    const scores = vectors.map((vector) => dot(vector, found!.embeddings.get(query)!.vector));
    return scores.filter((score) => score > scores[index]!).length;
  });
  const within = (most: number) => (found ? meanOf(ranks.map((rank) => Number(rank < most))) : null);
  const figures = { queries: queries.length, found_first: within(1), found_in_ten: within(nearestCount) };
  return { ...source, dimensions, ...figures, vectors };
}

/** Returns what should find a text of six words with more than three letters: four of them, in alphabetical order. */
function queryOf({ text }: FileRow, index: number): { index: number; query: string }[] {
  const words = [...new Set(text.match(/[\p{L}\p{N}]{4,}/gu))].sort();
  return words.length < 6 ? [] : [{ index, query: words.slice(0, 4).join(' ') }];
}

function sampleOf<T>(items: readonly T[]): T[] {
  const count = Math.min(sampleSize, items.length);
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!);
}

function nearest(vectors: readonly Float32Array[], index: number): number[] {
  const scores = vectors.map((vector) => dot(vector, vectors[index]!));
  const others = [...vectors.keys()].filter((i) => i !== index);
  return others.sort((i, j) => scores[j]! - scores[i]!).slice(0, nearestCount);
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
};

function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((number) => number / norm);
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
