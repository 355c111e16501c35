import { notFound } from '../errors.ts';
import type { BatchEndpoint } from './batch.ts';
import type { Line } from './line.ts';
import { parseLine, type RawLine } from './read-lines.ts';

/** A line, and where the file goes on behind it. */
export interface Entry {
  readonly line: Line;
  readonly end: number;
}

/** A chunk of lines gets its results at once. Two chunks of a batch are in progress at a time. */
const maxChunkTexts = 512;
const maxChunkBytes = 4 << 20;

/** Yields the lines of a validated file in chunks. */
export async function* chunksOf(
  lines: AsyncIterable<RawLine>,
  endpoint: BatchEndpoint,
  textsOf: (line: Line) => number,
): AsyncGenerator<Entry[], void> {
  let chunk: Entry[] = [];
  let texts = 0;
  let bytes = 0;
  for await (const raw of lines) {
    const line = parseLine(raw, endpoint);
    if ('code' in line) throw notFound('The input file has changed');
    const more = textsOf(line);
    bytes += raw.bytes.length;
    if (chunk.length > 0 && (texts + more > maxChunkTexts || bytes > maxChunkBytes)) {
      yield chunk;
      chunk = [];
      texts = 0;
      bytes = raw.bytes.length;
    }
    chunk.push({ line, end: raw.end });
    texts += more;
  }
  if (chunk.length > 0) yield chunk;
}
