import type { EarlierOutput } from './earlier-output.ts';
import type { ClientOptions, EmbeddedTexts } from './embedding-client.ts';
import type { PartialFile } from './partial-file.ts';
import { type FileRow, readRows } from './read-rows.ts';

export interface FileJob extends ClientOptions {
  readonly input: string;
  readonly output: string;
  readonly field: string;
  readonly replaces: boolean;
  readonly batchSize: number;
  readonly concurrency: number;
  /** Whether the texts are sent as batches, which run behind all requests. */
  readonly isBatch: boolean;
  /** Whether texts are divided into parts that the model reads to their end. */
  readonly isSplit?: boolean;
  /** Its vectors are copied for the texts that it has. */
  readonly previous?: EarlierOutput | undefined;
  readonly expectedFingerprint?: string | undefined;
  readonly onProgress: (progress: FileProgress) => void;
}

export interface FileProgress {
  readonly total: number;
  /** Texts whose vectors the earlier output has. */
  readonly copied: number;
  /** Texts that earlier runs have finished. */
  readonly resumed: number;
  /** Texts with a vector, with those of earlier runs and of the earlier output. */
  done: number;
  /** The following figures count only what this run has requested. */
  cached: number;
  tokens: number;
}

/** Yields the rows of the input whose vectors have to be requested, after the first `done`. */
export async function* rowsAfter({ input, field, previous }: FileJob, done: number): AsyncGenerator<FileRow> {
  let index = 0;
  for await (const row of readRows(input, field, true)) {
    if (previous?.embeddings.has(row.text)) continue;
    index += 1;
    if (index > done) yield row;
  }
}

/** The most characters of a request, or of a line of a batch: well below the 4 MiB that a server may accept. */
export const requestCharacters = 500_000;

/** Yields rows in groups of at most so many texts and characters. */
export async function* groupsOf(
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  { texts, characters: maxCharacters }: { readonly texts: number; readonly characters: number },
): AsyncGenerator<FileRow[]> {
  let group: FileRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    const isFull = group.length === texts || characters + row.text.length > maxCharacters;
    if (isFull && group.length > 0) {
      yield group;
      group = [];
      characters = 0;
    }
    group.push(row);
    characters += row.text.length;
  }
  if (group.length > 0) yield group;
}

/** Keeps the vectors of the next texts. */
export function keep(
  { embeddings, source, tokens, cached }: EmbeddedTexts,
  partial: PartialFile,
  progress: FileProgress,
): void {
  partial.append(embeddings, source);
  progress.done += embeddings.length;
  progress.tokens += tokens;
  progress.cached += cached;
}
