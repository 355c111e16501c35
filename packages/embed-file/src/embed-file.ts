import { createHash } from 'node:crypto';
import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { messageOf } from '../../small/src/errors.ts';
import { tryProcessLock } from '../../small/src/process-lock.ts';
import { embedBatches } from './embed-batches.ts';
import { embedRows } from './embed-requests.ts';
import { FailedResponse } from './embedding-client.ts';
import type { FileJob, FileProgress } from './job.ts';
import { openParquet } from './parquet.ts';
import { PartialFile } from './partial-file.ts';
import { readRows } from './read-rows.ts';
import { type ColumnType, type TableColumnTypes, typeFor, writeVectors } from './write-vectors.ts';

export interface Report extends FileProgress {
  readonly dimensions: number;
  readonly fingerprint: string | null;
}

/** Embeds the texts of a file. After a failure or a crash, the same call continues. */
export async function embedFile(job: FileJob): Promise<Report> {
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
    for (const rest of ['.batch', '.results']) rmSync(partialPath + rest, { force: true });
    return report;
  } finally {
    lock[Symbol.dispose]();
    rmSync(lockPath, { force: true });
  }
}

async function embedInto(partialPath: string, job: FileJob): Promise<Report> {
  const { input, output, field, url, fields } = job;
  const before = stateOf(input);
  const { count, types } = await check(job);
  const options = Object.entries({ url, field, ...fields }).map(([name, value]) => [name, value ?? null]);
  const circumstances = { input: await checksum(input), ...Object.fromEntries(options) };
  using partial = new PartialFile(partialPath, circumstances);
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
    if (job.isBatch) await embedBatches(job, partial, { partialPath, circumstances }, progress);
    else await embedRows(job, partial, progress);
  } catch (reason) {
    throw explained(reason, partialPath, progress);
  }
  if (stateOf(input) !== before) throw new Error(`${input} was changed while it was being embedded`);
  const { dimensions, fingerprint } = partial;
  await writeVectors(output, { input, field, count, dimensions, vectors: partial.vectors(), types });
  return { ...progress, dimensions, fingerprint };
}

/** Reads the whole input, so that a row without a text is found before anything is spent. */
async function check({ input, output, field }: FileJob): Promise<{ count: number; types: TableColumnTypes }> {
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

/** Adds to the message of a failure what is finished and how to continue. */
function explained(reason: unknown, partialPath: string, { done, total }: FileProgress): Error {
  const { isFinal, resetsAt } = reason instanceof FailedResponse ? reason : {};
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
