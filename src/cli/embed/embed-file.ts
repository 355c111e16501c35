import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { messageOf } from '../../errors.ts';
import { tryProcessLock } from '../../lib/process-lock.ts';
import { type ClientOptions, type Embedded, EmbeddingClient, Refusal } from './embedding-client.ts';
import { openParquet } from './parquet.ts';
import { PartialFile } from './partial-file.ts';
import { type Row, readRows } from './read-rows.ts';
import { type ColumnType, type ColumnTypes, typeFor, writeVectors } from './write-vectors.ts';

export interface Job extends ClientOptions {
  readonly input: string;
  readonly output: string;
  readonly field: string;
  readonly replaces: boolean;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly total: number;
  /** Texts that earlier runs have finished. */
  readonly resumed: number;
  /** Texts with a vector, with those of earlier runs. */
  done: number;
  /** The following figures count only what this run has requested. */
  cached: number;
  truncated: number;
  tokens: number;
}

export interface Report extends Progress {
  readonly dimensions: number;
  readonly fingerprint: string | null;
}

/** Texts of one request together, well below the 4 MiB that a server may accept at most. */
const maxCharactersInBatch = 500_000;
/** Finished requests may wait for this many times the concurrency, until the one before them is finished. */
const windowFactor = 4;

/** Embeds the texts of a file. After a failure or a crash, the same call continues. */
export async function embedFile(job: Job): Promise<Report> {
  const { output } = job;
  if (existsSync(output) && !job.replaces)
    throw new Error(`${output} exists: choose another file or add --force`);
  const partialPath = `${output}.partial`;
  const lockPath = `${partialPath}.lock`;
  const lock = tryProcessLock(lockPath);
  if (!lock) throw new Error(`Another command is writing ${output} right now`);
  try {
    const report = await embedInto(partialPath, job);
    rmSync(partialPath);
    return report;
  } finally {
    lock[Symbol.dispose]();
    rmSync(lockPath, { force: true });
  }
}

async function embedInto(partialPath: string, job: Job): Promise<Report> {
  const { input, output, field, url, fields } = job;
  const before = stateOf(input);
  const { count, types } = await check(job);
  const options = Object.entries({ url, field, ...fields }).map(([name, value]) => [name, value ?? null]);
  using partial = new PartialFile(partialPath, {
    input: await checksum(input),
    ...Object.fromEntries(options),
  });
  const progress = {
    total: count,
    resumed: partial.count,
    done: partial.count,
    cached: 0,
    truncated: 0,
    tokens: 0,
  };
  job.onProgress(progress);
  try {
    await embedRows(job, partial, progress);
  } catch (reason) {
    throw explained(reason, partialPath, progress);
  }
  if (stateOf(input) !== before) throw new Error(`${input} was changed while it was being embedded`);
  const { dimensions, fingerprint } = partial;
  await writeVectors(output, { input, field, count, dimensions, vectors: partial.vectors(), types });
  return { ...progress, dimensions, fingerprint };
}

/** Reads the whole input, so that a row without a text is found before anything is spent. */
async function check({ input, output, field }: Job): Promise<{ count: number; types: ColumnTypes }> {
  const types = new Map<string, ColumnType>();
  const isCopied = extname(input) === '.parquet';
  const isTyped = extname(output) === '.parquet' && !isCopied;
  if (extname(output) === '.parquet' && isCopied) (await openParquet(input)).columns();
  let count = 0;
  for await (const { fields } of readRows(input, field, true)) {
    count += 1;
    if (!isTyped) continue;
    for (const [name, value] of Object.entries(fields))
      if (value !== null) types.set(name, typeFor(value, types.get(name)));
  }
  if (count === 0) throw new Error(`${input} has no texts`);
  return { count, types };
}

/** Requests the missing vectors, several batches at a time, and keeps them in the order of the rows. */
async function embedRows(job: Job, partial: PartialFile, progress: Progress): Promise<void> {
  const { concurrency, onProgress } = job;
  const client = new EmbeddingClient(job);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const active = new Set<Promise<void>>();
  const unkept: { finished?: readonly Embedded[] }[] = [];
  let failure: { readonly reason: unknown } | undefined;

  const keepFinished = (): void => {
    for (let first = unkept[0]?.finished; first; first = unkept[0]?.finished) {
      unkept.shift();
      for (const { vectors, fingerprint, tokens, cached, truncated } of first) {
        partial.append(vectors, fingerprint);
        progress.done += vectors.length;
        progress.tokens += tokens;
        progress.cached += cached;
        progress.truncated += truncated;
      }
    }
    onProgress(progress);
  };
  const embed = async (rows: readonly Row[]): Promise<void> => {
    const batch: (typeof unkept)[number] = {};
    unkept.push(batch);
    try {
      batch.finished = await embedBatch(client, job.input, rows, stopping.signal);
      keepFinished();
    } catch (reason) {
      failure ??= { reason };
      stopping.abort();
    }
  };

  for await (const rows of batches(job, partial.count)) {
    const task = embed(rows).finally(() => active.delete(task));
    active.add(task);
    while (!failure && (active.size >= concurrency || unkept.length >= windowFactor * concurrency))
      await Promise.race(active);
    if (failure) break;
  }
  await Promise.all(active);
  if (failure) throw failure.reason;
}

/** Yields the rows after the first `done`, in batches. */
async function* batches({ input, field, batchSize }: Job, done: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let characters = 0;
  let index = 0;
  for await (const row of readRows(input, field, true)) {
    index += 1;
    if (index <= done) continue;
    const isFull = batch.length === batchSize || characters + row.text.length > maxCharactersInBatch;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(row);
    characters += row.text.length;
  }
  if (batch.length > 0) yield batch;
}

/** Embeds a batch. If the server refuses its texts, embeds its halves, which finds the text at fault. */
async function embedBatch(
  client: EmbeddingClient,
  input: string,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<Embedded[]> {
  try {
    return [
      await client.embed(
        rows.map(({ text }) => text),
        signal,
      ),
    ];
  } catch (reason) {
    if (!(reason instanceof Refusal && reason.concernsTexts)) throw reason;
    if (rows.length === 1) throw new Error(`${input}, ${rows[0]!.at}: ${reason.message}`, { cause: reason });
    const middle = Math.ceil(rows.length / 2);
    const first = await embedBatch(client, input, rows.slice(0, middle), signal);
    return [...first, ...(await embedBatch(client, input, rows.slice(middle), signal))];
  }
}

/** Adds to the message of a failure what is finished and how to continue. */
function explained(reason: unknown, partialPath: string, { done, total }: Progress): Error {
  const { isFinal, resetsAt } = reason instanceof Refusal ? reason : {};
  const reset = isFinal && resetsAt ? ` The quota resets at ${resetsAt}.` : '';
  const kept =
    done === 0
      ? 'Nothing is finished yet.'
      : `${partialPath} has ${done} of ${total} texts, and the same command continues after them.`;
  return new Error(`${messageOf(reason).replace(/\.$/, '')}.${reset} ${kept}`, { cause: reason });
}

async function checksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes);
  return hash.digest('hex');
}

function stateOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}`;
}
