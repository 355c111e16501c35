import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fieldsOf, type JsonObject, parsedJson } from '../../lib/json.ts';
import { EmbeddingClient, embeddedIn } from './embedding-client.ts';
import { groupsOf, type Job, keep, type Progress } from './job.ts';
import type { PartialFile } from './partial-file.ts';
import { linesOf, type Row } from './read-rows.ts';

/** OpenAI accepts 50,000 texts and 200 MB. */
const bounds = { texts: 50_000, characters: 32 << 20 };
const pollEveryMs = 2_000;
const ends = ['completed', 'failed', 'expired', 'cancelled'];

/** The batch that runs. It is in a file beside the partial one, so that the next run goes on with it. */
interface Begun {
  readonly id: string;
  /** The first row of the batch, and the number of texts in each of its lines. */
  readonly from: number;
  readonly batchSize: number;
}

/** Requests the missing vectors with batches, one after another. */
export async function embedBatches(
  job: Job,
  partial: PartialFile,
  partialPath: string,
  progress: Progress,
): Promise<void> {
  const batches = new Batches(new EmbeddingClient(job), `${partialPath}.results`);
  const begunPath = `${partialPath}.batch`;
  let begun = existsSync(begunPath) ? (parsedJson(readFileSync(begunPath, 'utf8')) as Begun) : undefined;
  for await (const rows of groupsOf(job, begun?.from ?? partial.count, bounds)) {
    const { from, batchSize } = begun ?? { from: partial.count, batchSize: job.batchSize };
    const lines = Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, i) =>
      rows.slice(i * batchSize, (i + 1) * batchSize),
    );
    if (!begun) {
      begun = { id: await batches.create(lines, job.fields), from, batchSize };
      writeFileSync(begunPath, JSON.stringify(begun));
    }
    const batch = await batches.ended(begun.id, (completed) => {
      const done = Math.max(partial.count, from + Math.min(completed * batchSize, rows.length));
      job.onProgress({ ...progress, done });
    });
    const results = await batches.results(batch);
    let at = from;
    for (const [i, line] of lines.entries()) {
      at += line.length;
      if (at <= partial.count) continue;
      if (!results.has(i)) break;
      const embedded = embeddedIn(results.get(i), line.length);
      if (typeof embedded !== 'string') keep(embedded, partial, progress);
      else
        throw new Error(
          `${job.input}, ${line[0]!.at}: ${problemOf(results.get(i)) ?? `the server ${embedded}`}`,
        );
    }
    partial.sync();
    await batches.discard(batch);
    rmSync(begunPath);
    if (partial.count < from + rows.length) throw new Error(`The batch ${begun.id} ${endOf(batch, lines)}`);
    begun = undefined;
  }
}

/** The batches of a server. They are not cancelled when the command ends: the next run goes on with them. */
class Batches {
  readonly #client: EmbeddingClient;
  readonly #resultsPath: string;
  readonly #signal = new AbortController().signal;

  constructor(client: EmbeddingClient, resultsPath: string) {
    this.#client = client;
    this.#resultsPath = resultsPath;
  }

  /** Uploads the lines and begins a batch of them. Returns its identifier. */
  async create(lines: readonly (readonly Row[])[], fields: Job['fields']): Promise<string> {
    const content = lines.map((rows, i) => {
      const body = { input: rows.map(({ text }) => text), encoding_format: 'base64', ...fields };
      return `${JSON.stringify({ custom_id: String(i), method: 'POST', url: '/v1/embeddings', body })}\n`;
    });
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob(content), 'embedgate-embed.jsonl');
    const { id: input_file_id } = await this.#ask('POST', '/files', form);
    const batch = { input_file_id, endpoint: '/v1/embeddings', completion_window: '24h' };
    return String((await this.#ask('POST', '/batches', batch)).id);
  }

  /** Waits for a batch to end. Calls `onProgress` with the number of lines that have a result. */
  async ended(id: string, onProgress: (completed: number) => void): Promise<JsonObject> {
    for (;;) {
      const batch = await this.#ask('GET', `/batches/${id}`);
      onProgress(Number(fieldsOf(batch.request_counts).completed ?? 0));
      if (ends.includes(String(batch.status))) return batch;
      await setTimeout(pollEveryMs);
    }
  }

  /** Returns the bodies of the responses to lines that were run, by the number of the line. */
  async results({
    output_file_id: output,
    error_file_id: errors,
  }: JsonObject): Promise<Map<number, unknown>> {
    const bodies = new Map<number, unknown>();
    for (const file of [output, errors]) {
      if (!file) continue;
      const into = this.#resultsPath;
      await this.#client.send(`/files/${file}/content`, { method: 'GET', signal: this.#signal, into });
      for await (const [, line] of linesOf(into)) {
        const { custom_id: id, response } = fieldsOf(parsedJson(line));
        if (response) bodies.set(Number(id), fieldsOf(response).body);
      }
      rmSync(into);
    }
    return bodies;
  }

  /** Deletes the files of a batch, which expire otherwise. */
  async discard({ input_file_id, output_file_id, error_file_id }: JsonObject): Promise<void> {
    for (const file of [input_file_id, output_file_id, error_file_id])
      if (file) await this.#ask('DELETE', `/files/${file}`);
  }

  async #ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<JsonObject> {
    const { text } = await this.#client.send(path, { method, signal: this.#signal, ...(body && { body }) });
    return fieldsOf(parsedJson(text));
  }
}

const problemOf = (body: unknown): unknown => fieldsOf(fieldsOf(body).error).message;

/** Says how a batch ended without all results, and at which row of the input, if a line is at fault. */
function endOf({ status, errors }: JsonObject, lines: readonly (readonly Row[])[]): string {
  const { message, line } = fieldsOf((fieldsOf(errors).data as unknown[] | undefined)?.[0]);
  const rows = lines[Number(line) - 1];
  const place = rows ? ` at ${rows[0]!.at} or one of the next ${rows.length - 1}` : '';
  return message ? `has failed${place}: ${message}` : `is ${status}`;
}
