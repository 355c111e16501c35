import { notFound } from '../errors.ts';
import type { BatchEndpoint } from './batch.ts';
import type { BatchLine } from './line.ts';
import { parseLine, type RawLine } from './read-lines.ts';

/** A line, its length in bytes, and where the file goes on behind it. */
export interface Entry {
  readonly line: BatchLine;
  readonly bytes: number;
  readonly end: number;
}

/** A chunk of lines gets its results at once. Two chunks of a batch are in progress at a time. */
const maxChunkTexts = 512;
const maxChunkBytes = 4 << 20;

/** Returns a line of a validated file. */
export function entryOf(raw: RawLine, endpoint: BatchEndpoint): Entry {
  const line = parseLine(raw, endpoint);
  if ('code' in line) throw notFound('The input file has changed');
  return { line, bytes: raw.bytes.length, end: raw.end };
}

/** Gathers the lines of a file in chunks. */
export async function* chunksOf(
  entries: AsyncIterable<Entry>,
  textsOf: (line: BatchLine) => number,
): AsyncGenerator<Entry[], void> {
  let chunk: Entry[] = [];
  let texts = 0;
  let bytes = 0;
  for await (const entry of entries) {
    const more = textsOf(entry.line);
    bytes += entry.bytes;
    if (chunk.length > 0 && (texts + more > maxChunkTexts || bytes > maxChunkBytes)) {
      yield chunk;
      chunk = [];
      texts = 0;
      bytes = entry.bytes;
    }
    chunk.push(entry);
    texts += more;
  }
  if (chunk.length > 0) yield chunk;
}
