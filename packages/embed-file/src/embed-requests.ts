import { setMaxListeners } from 'node:events';
import { type EmbeddedTexts, EmbeddingClient, FailedResponse } from './embedding-client.ts';
import { type FileJob, type FileProgress, groupsOf, keep, requestCharacters, rowsAfter } from './job.ts';
import type { PartialFile } from './partial-file.ts';
import type { FileRow } from './read-rows.ts';

/** Finished requests may wait for this many times the concurrency, until the one before them is finished. */
const windowFactor = 4;

/** Requests the missing vectors, several batches at a time, and keeps them in the order of the rows. */
export async function embedRows(job: FileJob, partial: PartialFile, progress: FileProgress): Promise<void> {
  const { concurrency, onProgress, batchSize } = job;
  const bounds = { texts: batchSize, characters: requestCharacters };
  const client = new EmbeddingClient(job);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const active = new Set<Promise<void>>();
  const unkept: { finished?: readonly EmbeddedTexts[] }[] = [];
  let failure: { readonly reason: unknown } | undefined;

  const keepFinished = (): void => {
    for (let first = unkept[0]?.finished; first; first = unkept[0]?.finished) {
      unkept.shift();
      for (const embedded of first) keep(embedded, partial, progress);
    }
    onProgress(progress);
  };
  const embed = async (rows: readonly FileRow[]): Promise<void> => {
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

  for await (const rows of groupsOf(rowsAfter(job, partial.count), bounds)) {
    const task = embed(rows).finally(() => active.delete(task));
    active.add(task);
    while (!failure && (active.size >= concurrency || unkept.length >= windowFactor * concurrency))
      await Promise.race(active);
    if (failure) break;
  }
  await Promise.all(active);
  if (failure) throw failure.reason;
}

/** Embeds a batch. If the server refuses its texts, embeds its halves, which finds the text at fault. */
async function embedBatch(
  client: EmbeddingClient,
  input: string,
  rows: readonly FileRow[],
  signal: AbortSignal,
): Promise<EmbeddedTexts[]> {
  try {
    return [
      await client.embed(
        rows.map(({ text }) => text),
        signal,
      ),
    ];
  } catch (reason) {
    if (!(reason instanceof FailedResponse && reason.concernsTexts)) throw reason;
    if (rows.length === 1) throw new Error(`${input}, ${rows[0]!.at}: ${reason.message}`, { cause: reason });
    const middle = Math.ceil(rows.length / 2);
    const first = await embedBatch(client, input, rows.slice(0, middle), signal);
    return [...first, ...(await embedBatch(client, input, rows.slice(middle), signal))];
  }
}
