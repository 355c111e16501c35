import { createHash } from 'node:crypto';
import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { messageOf } from '../../small/src/errors.ts';
import { tryProcessLock } from '../../small/src/process-lock.ts';
import { embedBatches } from './embed-batches.ts';
import { embedRows } from './embed-requests.ts';
import { type Embedding, requireSame, type Source } from './embedding.ts';
import { FailedResponse } from './embedding-client.ts';
import type { FileJob, FileProgress } from './job.ts';
import { openParquet } from './parquet.ts';
import { PartialFile } from './partial-file.ts';
import { writeParts } from './parts.ts';
import { readRows } from './read-rows.ts';
import { type ColumnType, typeFor, writeVectors } from './write-vectors.ts';

export interface Report extends FileProgress, Source {
  readonly dimensions: number;
  readonly truncated: number;
}

/** Embeds the texts of a file. After a failure or a crash, the same call continues. */
export async function embedFile(job: FileJob): Promise<Report> {
  const { output } = job;
  if (job.isSplit && extname(output) === '.npy')
    throw new Error(`${output} has no place for the parts of texts: choose .jsonl or .parquet`);
  if (existsSync(output) && !job.replaces)
    throw new Error(`${output} exists: choose another file or add --force`);
  const partialPath = `${output}.partial`;
  const lockPath = `${partialPath}.lock`;
  const lock = tryProcessLock(lockPath);
  if (!lock) throw new Error(`Another command is writing ${output} right now`);
  try {
    const report = await embedInto(partialPath, job);
    rmSync(partialPath);
    for (const rest of ['.batch', '.results', '.parts.jsonl']) rmSync(partialPath + rest, { force: true });
    return report;
  } finally {
    lock[Symbol.dispose]();
    rmSync(lockPath, { force: true });
  }
}

async function embedInto(partialPath: string, given: FileJob): Promise<Report> {
  const { output, field, url, fields, previous } = given;
  const before = stateOf(given.input);
  const input = given.isSplit ? `${partialPath}.parts.jsonl` : given.input;
  if (given.isSplit) await writeParts(given, input);
  const { count, copied, types } = await check({ ...given, input });
  const files = { input: await checksum(input), previous: previous ? await checksum(previous.file) : null };
  const options = Object.entries({ url, field, ...fields }).map(([name, value]) => [name, value ?? null]);
  const circumstances = { ...files, ...Object.fromEntries(options) };
  using partial = new PartialFile(partialPath, circumstances, expectedOf(given));
  partial.dimensions ||= previous?.dimensions ?? 0;
  // The server then refuses to compute others.
  const expected_fingerprint = partial.source?.fingerprint ?? undefined;
  const job = { ...given, input, fields: { ...fields, expected_fingerprint } };
  const { count: resumed } = partial;
  const progress = { total: count, resumed, copied, done: copied + resumed, cached: 0, tokens: 0 };
  job.onProgress(progress);
  try {
    if (job.isBatch) await embedBatches(job, partial, { partialPath, circumstances }, progress);
    else await embedRows(job, partial, progress);
  } catch (reason) {
    throw explained(reason, partialPath, progress);
  }
  if (stateOf(given.input) !== before)
    throw new Error(`${given.input} was changed while it was being embedded`);
  const { dimensions, source } = partial;
  const cut: number[] = [];
  const embeddings = embeddingsOf(job, partial, cut);
  const labels = {
    embedding_model: source!.model ?? undefined,
    embedding_fingerprint: source!.fingerprint ?? undefined,
    embedding_input_type: fields.input_type?.toString(),
  };
  await writeVectors(output, { input, field, count, dimensions, embeddings, cut, types, labels });
  return { ...progress, truncated: cut.length, dimensions, ...source! };
}

/** Returns what must produce the vectors, if anything is known of it. Throws if the earlier output has others. */
function expectedOf({ previous, expectedFingerprint: fingerprint, fields }: FileJob): Source | undefined {
  const stated = fingerprint ? { model: null, fingerprint } : undefined;
  if (!previous) return stated;
  if (stated) requireSame(stated, previous.source, previous.file);
  if (previous.inputType === fields.input_type) return previous.source;
  throw new Error(`${previous.file} was made with the input type ${previous.inputType ?? 'of the server'}`);
}

/** Yields the embeddings of all rows, from the earlier output and from this job. */
async function* embeddingsOf(
  job: FileJob,
  partial: PartialFile,
  cut: number[],
): AsyncGenerator<Embedding, void> {
  const requested = partial.embeddings();
  let index = 0;
  for await (const { text } of readRows(job.input, job.field, true)) {
    const embedding = job.previous?.embeddings.get(text) ?? requested.next().value!;
    if (embedding.isCut) cut.push(index);
    index += 1;
    yield embedding;
  }
}

/** Reads the whole input, so that a row without a text is found before anything is spent. */
async function check({ input, output, field, previous }: FileJob) {
  const types = new Map<string, ColumnType>();
  const isCopied = extname(input) === '.parquet';
  const isTyped = extname(output) === '.parquet' && !isCopied;
  if (extname(output) === '.parquet' && isCopied) (await openParquet(input)).columns();
  let count = 0;
  let copied = 0;
  for await (const { text, fields } of readRows(input, field, true)) {
    // This text is requested again, so that the server shows what produces its vectors now.
    if (count === 0) previous?.embeddings.delete(text);
    if (previous?.embeddings.has(text)) copied += 1;
    count += 1;
    if (!isTyped) continue;
    for (const [name, value] of Object.entries(fields))
      if (value !== null) types.set(name, typeFor(value, types.get(name)));
  }
  if (count === 0) throw new Error(`${input} has no texts`);
  return { count, copied, types };
}

/** Adds to the message of a failure what is finished and how to continue. */
function explained(reason: unknown, partialPath: string, { done, total, copied }: FileProgress): Error {
  const { isFinal, resetsAt } = reason instanceof FailedResponse ? reason : {};
  const reset = isFinal && resetsAt ? ` The quota resets at ${resetsAt}.` : '';
  const kept =
    done === copied
      ? 'Nothing is finished yet.'
      : `${partialPath} has ${done - copied} of ${total - copied} texts, and the same command continues after them.`;
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
