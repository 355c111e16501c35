import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { writeFileAtomically } from '../../small/src/files.ts';
import { fieldsOf, type JsonObject, parsedJson } from '../../small/src/json.ts';
import { EmbeddingClient, embeddedIn, FailedResponse } from './embedding-client.ts';
import { type FileJob, type FileProgress, groupsOf, keep, requestCharacters, rowsAfter } from './job.ts';
import type { Circumstances, PartialFile } from './partial-file.ts';
import { type FileRow, linesOf } from './read-rows.ts';

/** OpenAI accepts 50,000 texts and 200 MB. */
const bounds = { texts: 50_000, characters: 32 << 20 };
const pollEveryMs = 2_000;
const ends = ['completed', 'failed', 'expired', 'cancelled'];

/** The batch that runs. It is in a file beside the partial one, so that the next run goes on with it. */
interface Begun {
  readonly id: string;
  /** The rows of the batch, and the number of texts in each of its lines. */
  readonly from: number;
  readonly count: number;
  readonly batchSize: number;
  /** What decides the vectors, as in the partial file. */
  readonly circumstances: Circumstances;
}

/** Requests the missing vectors with batches, one after another. */
export async function embedBatches(
  job: FileJob,
  partial: PartialFile,
  { partialPath, circumstances }: { readonly partialPath: string; readonly circumstances: Circumstances },
  progress: FileProgress,
): Promise<void> {
  const batches = new Batches(new EmbeddingClient(job), `${partialPath}.results`);
  const begunPath = `${partialPath}.batch`;
  let begun = begunBefore(begunPath, partial, circumstances);
  for await (const rows of groupsOf(rowsAfter(job, begun?.from ?? partial.count), bounds)) {
    const { from, batchSize } = begun ?? { from: partial.count, batchSize: job.batchSize };
    const perLine = { texts: batchSize, characters: requestCharacters };
    const lines = await Array.fromAsync(groupsOf(rows, perLine));
    const begin = async (): Promise<Begun> => {
      const id = await batches.create(lines, job.fields);
      const fresh = { id, from, count: rows.length, batchSize, circumstances };
      writeFileAtomically(begunPath, () => JSON.stringify(fresh), { mode: 0o600, overwrite: true });
      return fresh;
    };
    const resultsOf = async ({ id }: Begun) => {
      const batch = await batches.ended(id, (completed) => {
        const texts = Math.round((completed / lines.length) * rows.length);
        job.onProgress({ ...progress, done: progress.copied + Math.max(partial.count, from + texts) });
      });
      return { batch, results: await batches.results(batch) };
    };
    const isOfEarlierRun = begun !== undefined;
    begun ??= await begin();
    const { batch, results } = await resultsOf(begun).catch(async (reason) => {
      if (!isOfEarlierRun || !(reason instanceof FailedResponse) || reason.status !== 404) throw reason;
      // The server no longer has the batch or its results.
      begun = await begin();
      return resultsOf(begun);
    });
    const fault = keepLines(results, { job, partial, progress, lines, from });
    partial.sync();
    // Without it, the next run begins another batch with the rows that have no vector.
    rmSync(begunPath);
    await batches.discard(batch);
    if (fault !== undefined) throw new Error(fault);
    if (partial.count < from + rows.length) throw new Error(`The batch ${begun.id} ${endOf(batch, lines)}`);
    begun = undefined;
  }
}

/** Returns the batch that an earlier run has begun, if its results are what this run needs. */
function begunBefore(path: string, partial: PartialFile, circumstances: Circumstances): Begun | undefined {
  if (!existsSync(path)) return undefined;
  const begun = parsedJson(readFileSync(path, 'utf8')) as Begun | undefined;
  const kept = partial.count - (begun?.from ?? 0);
  const isSame = begun && JSON.stringify(begun.circumstances) === JSON.stringify(circumstances);
  if (isSame && kept >= 0 && kept < begun.count) return begun;
  rmSync(path);
  return undefined;
}

interface Kept {
  readonly job: FileJob;
  readonly partial: PartialFile;
  readonly progress: FileProgress;
  readonly lines: readonly (readonly FileRow[])[];
  readonly from: number;
}

/** Keeps the vectors up to the first line without any. Returns what is wrong with that line, if it was run. */
function keepLines(
  results: ReadonlyMap<string, unknown>,
  { job, partial, progress, lines, from }: Kept,
): string | undefined {
  let at = from;
  for (const [i, line] of lines.entries()) {
    at += line.length;
    if (at <= partial.count) continue;
    const body = results.get(String(i));
    if (body === undefined) return undefined;
    const embedded = embeddedIn(body, line.length);
    if (typeof embedded === 'string')
      return `${job.input}, ${placeOf(line)}: ${fieldsOf(fieldsOf(body).error).message ?? `the server ${embedded}`}`;
    // A run that was killed may have kept a part of them.
    const missing = embedded.embeddings.slice(Math.max(0, partial.count - (at - line.length)));
    keep({ ...embedded, embeddings: missing }, partial, progress);
  }
  return undefined;
}

/** The batches of a server. They are not cancelled when the command ends: the next run goes on with them. */
class Batches {
  readonly #client: EmbeddingClient;
  readonly #resultsPath: string;

  constructor(client: EmbeddingClient, resultsPath: string) {
    this.#client = client;
    this.#resultsPath = resultsPath;
  }

  /** Uploads the lines and begins a batch of them. Returns its identifier. */
  async create(lines: readonly (readonly FileRow[])[], fields: FileJob['fields']): Promise<string> {
    const content = lines.map((rows, i) => {
      const body = { input: rows.map(({ text }) => text), encoding_format: 'base64', ...fields };
      return `${JSON.stringify({ custom_id: String(i), method: 'POST', url: '/v1/embeddings', body })}\n`;
    });
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob(content), 'embedgate-embed.jsonl');
    const { id: input_file_id } = await this.#ask('POST', '/files', form);
    const batch = { input_file_id, endpoint: '/v1/embeddings', completion_window: '24h' };
    const { id } = await this.#ask('POST', '/batches', batch).catch(async (reason) => {
      await this.discard(batch);
      throw reason;
    });
    if (typeof id !== 'string') throw new Error('The server returns something other than a batch');
    return id;
  }

  /** Waits for a batch to end. Calls `onProgress` with the number of lines that have a result. */
  async ended(id: string, onProgress: (completed: number) => void): Promise<JsonObject> {
    for (;;) {
      const batch = await this.#ask('GET', `/batches/${encodeURIComponent(id)}`);
      onProgress(Number(fieldsOf(batch.request_counts).completed ?? 0));
      if (ends.includes(String(batch.status))) return batch;
      await setTimeout(pollEveryMs);
    }
  }

  /** Returns the bodies of the responses to lines that were run, by the line's `custom_id`. */
  async results({
    output_file_id: output,
    error_file_id: errors,
  }: JsonObject): Promise<Map<string, unknown>> {
    const bodies = new Map<string, unknown>();
    for (const file of [output, errors]) {
      if (!file) continue;
      const into = this.#resultsPath;
      await this.#client.send(`${pathOf(file)}/content`, { method: 'GET', into });
      for await (const [, line] of linesOf(into)) {
        const { custom_id: id, response } = fieldsOf(parsedJson(line));
        if (response) bodies.set(String(id), fieldsOf(response).body);
      }
      rmSync(into);
    }
    return bodies;
  }

  /** Deletes the files of a batch. What can't be deleted expires. */
  async discard({ input_file_id, output_file_id, error_file_id }: JsonObject): Promise<void> {
    for (const file of [input_file_id, output_file_id, error_file_id])
      if (file) await this.#ask('DELETE', pathOf(file)).catch(() => {});
  }

  async #ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<JsonObject> {
    const { text } = await this.#client.send(path, { method, ...(body && { body }) });
    return fieldsOf(parsedJson(text));
  }
}

const pathOf = (file: unknown): string => `/files/${encodeURIComponent(String(file))}`;

/** Says which rows of the input a line has. */
const placeOf = (rows: readonly FileRow[]): string =>
  rows.length === 1 ? rows[0]!.at : `${rows[0]!.at} or one of the next ${rows.length - 1}`;

/** Says how a batch ended without all results, and at which row of the input, if a line is at fault. */
function endOf({ status, errors }: JsonObject, lines: readonly (readonly FileRow[])[]): string {
  const { message, line } = fieldsOf((fieldsOf(errors).data as unknown[] | undefined)?.[0]);
  const rows = lines[Number(line) - 1];
  const place = rows ? ` at ${placeOf(rows)}` : '';
  return message ? `has failed${place}: ${message}` : `is ${status}`;
}
