import { newNotice } from '../alerts/notice.ts';
import { isRefusal } from '../embeddings/own-failure.ts';
import { notFound, ServiceError } from '../errors.ts';
import type { Piece } from '../files/file.ts';
import type { FileContents } from '../files/file-contents.ts';
import type { Files } from '../files/stored-files.ts';
import type { Clock } from '../lib/clock.ts';
import { prefixedId } from '../lib/ids.ts';
import type { Batch, BatchChange, BatchFault, BatchStatus, ResultFile } from './batch.ts';
import { chunksOf, type Entry, entryOf } from './chunks.ts';
import type { BatchLine, LineSender, Lines } from './line.ts';
import { type RawLine, readLines } from './read-lines.ts';
import { packResults, type Result, renderResults, type Unrun } from './results.ts';
import { Dropped, mustWait, noSums, resultsOf, runChunk } from './run-chunk.ts';
import type { Batches } from './stored-batches.ts';
import { validate } from './validate.ts';

export interface RunParts {
  readonly batches: Batches;
  readonly files: Files;
  readonly contents: FileContents;
  readonly clock: Clock;
  /** The most texts of a batch. */
  readonly maxTexts: number;
  /** The most bytes of a line. */
  readonly maxLineBytes: number;
}

/** How many chunks are in progress: two, so that the model has work while the first one ends. */
const chunksAtATime = 2;
/** A line that runs with this signal gets a result only if the cache has all of its texts. */
const computingNothing = AbortSignal.abort();

/** How long a batch runs until others that wait have their turn. */
const sliceMs = 60_000;

/** How often a batch looks whether the model is back, and the longest time until it looks for its quota. */
export const waitMs = 15_000;

/** Thrown when a batch has to wait for the quota, the model or room for its results. The message is shown to people. */
export class Paused extends Error {
  /** How long it waits. */
  readonly ms: number;

  constructor(message = '', ms = waitMs) {
    super(message);
    this.ms = ms;
  }
}

/** One turn of a batch. */
export class BatchRun {
  readonly #parts: RunParts;
  readonly #lines: Lines;
  readonly #runner: string;
  readonly #lost = new AbortController();
  /** Aborts when the process closes, or another one has the batch. */
  readonly signal: AbortSignal;
  readonly #untilMs = performance.now() + sliceMs;
  readonly #stopping = new AbortController();
  #batch: Batch;

  constructor(parts: RunParts, lines: Lines, runner: string, batch: Batch, closing: AbortSignal) {
    this.#parts = parts;
    this.#lines = lines;
    this.#runner = runner;
    this.#batch = batch;
    this.signal = AbortSignal.any([closing, this.#lost.signal]);
  }

  /** Ends the turn: begins no more lines, and ends the validation. Lines in progress get their results. */
  stop(): void {
    this.#stopping.abort(new Paused('', 0));
  }

  /** Keeps the batch for `forMs`. Stops if it was cancelled, or its sender may no longer embed. */
  async renew(forMs: number): Promise<void> {
    const status = await this.#parts.batches.renew(this.#batch.batchId, this.#runner, forMs);
    if (status === undefined) this.#lost.abort();
    else if (status === 'cancelling' || !(await this.#sender().catch(() => undefined))) this.stop();
  }

  async run(): Promise<void> {
    const { orgId, inputFileId } = this.#batch;
    try {
      await this.#parts.files.get(orgId, inputFileId);
      await this.#run();
    } catch (reason) {
      if (!(reason instanceof ServiceError) || reason.code !== 'not_found') throw reason;
      // Without its file, it can neither run nor say which lines it has not run.
      await this.#fail([{ code: 'file_not_found', message: reason.message, param: null, line: null }]);
    }
  }

  async #run(): Promise<void> {
    if (this.#batch.status === 'validating') await this.#validate();
    if (this.#batch.status === 'in_progress') await this.#progress();
    if (this.#batch.status === 'finalizing') await this.#finish(this.#hasExpired ? 'expired' : 'completed');
    if (this.#batch.status === 'cancelling') {
      if (this.#batch.outputFileId !== null) await this.#drop('batch_cancelled', cancelledMessage);
      await this.#finish('cancelled');
    }
  }

  get #hasExpired(): boolean {
    return this.#batch.times.expired !== undefined;
  }

  /** Runs lines, until all have a result or the turn has ended. */
  async #progress(): Promise<void> {
    const { expiresAt, times } = this.#batch;
    const isLate = () => this.#parts.clock.now() >= expiresAt;
    if (!this.#hasExpired) {
      const isDone = !isLate() && (await this.#work());
      // `#work` has found that the key was revoked.
      if (this.#batch.status !== 'in_progress') return;
      if (!isDone && !isLate()) return;
      // Noted before the first line is dropped, so that another process goes on with that.
      if (!isDone) await this.#change({ times: { ...times, expired: this.#parts.clock.now() } });
    }
    if (this.#hasExpired) await this.#drop('batch_expired', expiredMessage);
    await this.#change({ status: 'finalizing' });
  }

  /** Ends the batch with the faults of its file, or begins it. */
  async #validate(): Promise<void> {
    const sender = await this.#sender();
    if (!sender) return this.#fail([revoked]);
    const { endpoint } = this.#batch;
    const { maxTexts, clock } = this.#parts;
    const signal = AbortSignal.any([this.signal, this.#stopping.signal]);
    const rules = { endpoint, sender, maxTexts, signal };
    const { faults, model, fingerprint, lines } = await validate(
      (read) => this.#read(0, read, signal),
      rules,
    );
    signal.throwIfAborted();
    if (faults.length > 0) return this.#fail(faults);
    const createdAt = clock.now();
    const name = this.#batch.batchId;
    const [outputFileId, errorFileId] = [prefixedId('file-'), prefixedId('file-')];
    await this.#change(
      { status: 'in_progress', model, fingerprint, total: lines, outputFileId, errorFileId },
      [
        { fileId: outputFileId, filename: `${name}_output.jsonl`, createdAt },
        { fileId: errorFileId, filename: `${name}_error.jsonl`, createdAt },
      ],
    );
  }

  /**
   * Undefined: the key that created the batch was revoked, or the person may no longer embed. Throws `Paused` while the
   * organization is suspended.
   */
  async #sender(): Promise<LineSender | undefined> {
    try {
      return await this.#lines.sender(this.#batch);
    } catch (reason) {
      if (!(reason instanceof ServiceError)) throw reason;
      if (reason.code === 'invalid_api_key') return undefined;
      throw reason.code === 'forbidden' ? new Paused(reason.message) : reason;
    }
  }

  /** As `#sender`, and undefined means that the batch is being cancelled now. */
  async #senderOrCancel(): Promise<LineSender | undefined> {
    const sender = await this.#sender();
    if (!sender) await this.#change({ status: 'cancelling' });
    return sender;
  }

  #read<T>(start: number, read: (line: RawLine) => T, signal = this.signal): AsyncGenerator<T, void> {
    const { contents, maxLineBytes } = this.#parts;
    const { orgId, inputFileId: fileId } = this.#batch;
    const file = { orgId, fileId, content: 'bytes' as const };
    const reading = { start, maxBytes: maxLineBytes, signal, inTurn: contents.turnsOf(orgId), read };
    return readLines(contents.read(file, start), reading);
  }

  /** Yields the lines that have no result yet, in chunks. */
  #chunks(textsOf: (line: BatchLine) => number): AsyncGenerator<Entry[], void> {
    const { nextByte, endpoint } = this.#batch;
    return chunksOf(
      this.#read(nextByte, (line) => entryOf(line, endpoint)),
      textsOf,
    );
  }

  /** Fails the batch if some of its lines have vectors of another model than the next ones would get. */
  async #hasItsModel(sender: LineSender): Promise<boolean> {
    const { model, fingerprint, nextLine } = this.#batch;
    const current = sender.fingerprintOf(model ?? '');
    if (current === undefined || current === fingerprint) return true;
    if (nextLine > 0) await this.#fail([changedModel(model ?? '')]);
    else await this.#change({ fingerprint: current });
    return nextLine === 0;
  }

  /** Runs the lines. Returns false if some are left, because the turn or the batch's time has ended. */
  async #work(): Promise<boolean> {
    const sender = await this.#senderOrCancel();
    if (!sender) return false;
    if (!(await this.#hasItsModel(sender))) return false;
    const { endpoint, orgId, total } = this.#batch;
    // Lines that start in one turn of the event loop would delay requests.
    const inTurn = this.#parts.contents.turnsOf(orgId);
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.signal]);
    let committed: Promise<void> = Promise.resolve();
    let running: Promise<unknown> = committed;
    try {
      for await (const chunk of this.#chunks(({ body }) => sender.texts(endpoint, body))) {
        // They may have lost their right, or the organization may have purged its vectors.
        const current = await this.#senderOrCancel();
        if (!current) {
          await committed;
          return false;
        }
        await this.#requireRoom();
        const run = ({ body }: BatchLine, stopping: AbortSignal) =>
          inTurn(() => current.run(endpoint, body, signal, stopping));
        const begun = Promise.withResolvers<boolean>();
        const results = runChunk(chunk, run, signal, this.#stopping.signal, () => begun.resolve(true));
        running = Promise.allSettled([running, results]).then(() => begun.resolve(false));
        await committed;
        committed = results.then((outcomes) => this.#commitChunk(chunk, outcomes));
        committed.catch(() => {});
        // Lines of the next chunk must not take the room of these.
        if (!(await begun.promise) || this.#isOver) break;
      }
      await committed;
    } catch (reason) {
      // Lines behind one that waits are counted, so they run to their end: the cache then has them.
      if (!(reason instanceof Paused)) ending.abort();
      throw reason;
    } finally {
      await running;
      await committed.catch(() => {});
    }
    if (this.#batch.nextLine < total && !this.#isOver) throw notFound('The input file has changed');
    return this.#batch.nextLine === total;
  }

  get #isOver(): boolean {
    return (
      this.signal.aborted ||
      this.#stopping.signal.aborted ||
      performance.now() > this.#untilMs ||
      this.#parts.clock.now() >= this.#batch.expiresAt
    );
  }

  /** Stores the results up to the first line that has to wait. */
  async #commitChunk(chunk: readonly Entry[], outcomes: readonly unknown[]): Promise<void> {
    const waits = outcomes.findIndex(mustWait);
    const done = waits < 0 ? chunk : chunk.slice(0, waits);
    const { output, errors, sums } = resultsOf(done, outcomes, this.#lines);
    if (done.length > 0) await this.#commit(done.at(-1)!.end, output, errors, sums);
    // Whatever the time is: results of the next chunk must not be stored before the lines that wait.
    if (waits < 0) return;
    this.#stopping.signal.throwIfAborted();
    const refusal = outcomes.find(isRefusal) as ServiceError | undefined;
    const { message } = refusal ?? (outcomes[waits] as ServiceError);
    // A limit can reset much sooner than a model comes back.
    const resetMs = (refusal?.retryAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
    throw new Paused(message, Math.min(waitMs, resetMs));
  }

  async #requireRoom(): Promise<void> {
    await this.#parts.contents.requireRoom(this.#batch.orgId).catch((reason) => {
      throw reason instanceof ServiceError && reason.status < 500 ? new Paused(reason.message) : reason;
    });
  }

  async #commit(
    nextByte: number,
    output: readonly Result[],
    errors: readonly (Result | Unrun)[],
    sums = noSums,
  ): Promise<void> {
    const { nextLine } = this.#batch;
    const [completed, failed] = [output.length, errors.length];
    const progress = {
      ...sums,
      nextLine: nextLine + completed + failed,
      nextByte,
      output: await this.#piece(output, nextLine),
      errors: await this.#piece(errors, nextLine),
      completed,
      failed,
    };
    if (!(await this.#parts.batches.commit(this.#batch, this.#runner, progress))) throw lost();
    this.#batch = {
      ...this.#batch,
      nextLine: progress.nextLine,
      nextByte,
      completed: this.#batch.completed + completed,
      failed: this.#batch.failed + failed,
    };
  }

  async #piece(results: readonly (Result | Unrun)[], position: number): Promise<Piece | undefined> {
    if (results.length === 0) return undefined;
    const packed = packResults(results);
    const { orgId } = this.#batch;
    const { length } = await renderResults(packed, this.#parts.contents.turnsOf(orgId));
    return this.#parts.contents.writePiece(orgId, packed, length, position);
  }

  /**
   * Gives all lines that were not run an error. Those that may have been in progress get what the cache has of them.
   */
  async #drop(code: string, message: string): Promise<void> {
    const { endpoint, orgId } = this.#batch;
    const inTurn = this.#parts.contents.turnsOf(orgId);
    const sender = await this.#sender();
    const dropped = new Dropped(code, message);
    let begun = chunksAtATime;
    for await (const chunk of this.#chunks(({ body }) => sender?.texts(endpoint, body) ?? 1)) {
      const run = ({ body }: BatchLine) =>
        inTurn(() => sender!.run(endpoint, body, computingNothing, computingNothing));
      const outcomes = sender && begun > 0 ? await runChunk(chunk, run, this.signal) : [];
      begun -= 1;
      const ended = chunk.map((_, i) => (i in outcomes && !mustWait(outcomes[i]) ? outcomes[i] : dropped));
      const { output, errors, sums } = resultsOf(chunk, ended, this.#lines);
      await this.#commit(chunk.at(-1)!.end, output, errors, sums);
    }
  }

  #fail(errors: readonly BatchFault[]): Promise<void> {
    return this.#finish('failed', errors);
  }

  /** Ends the batch, with the results so far. */
  async #finish(
    status: 'completed' | 'expired' | 'cancelled' | 'failed',
    errors: readonly BatchFault[] = [],
  ): Promise<void> {
    const { batches, clock } = this.#parts;
    const { batchId, orgId, times, total, completed, failed, outputFileId, errorFileId } = this.#batch;
    const nowMs = clock.now();
    const change = {
      status,
      times: { ...times, [status]: nowMs },
      endedAt: nowMs,
      errors,
      outputFileId: completed > 0 ? outputFileId : null,
      errorFileId: failed > 0 ? errorFileId : null,
    };
    const counts = { total, completed, failed };
    const data = { id: batchId, org_id: orgId, request_counts: counts };
    const notice = newNotice(`batch.${status}`, data, nowMs);
    if (!(await batches.end(this.#batch, this.#runner, change, notice))) throw lost();
    this.#batch = { ...this.#batch, ...change };
  }

  /** Changes the batch, and begins files. Throws `Lost`. */
  async #change(change: BatchChange, files?: readonly ResultFile[]): Promise<void> {
    const { batches, clock } = this.#parts;
    const { batchId, status, times } = this.#batch;
    const next: BatchStatus | undefined = change.status;
    const stamped = next && !change.times ? { ...change, times: { ...times, [next]: clock.now() } } : change;
    const isDone = files
      ? await batches.begin(this.#batch, this.#runner, stamped, files)
      : await batches.change(batchId, this.#runner, status, stamped);
    if (!isDone) throw lost();
    this.#batch = { ...this.#batch, ...stamped };
  }
}

const revoked: BatchFault = {
  code: 'invalid_api_key',
  message: 'The key that created the batch was revoked, or the person who did may no longer embed texts',
  param: null,
  line: null,
};

const changedModel = (model: string): BatchFault => ({
  code: 'model_changed',
  message:
    `${model} computes other vectors than when the batch began, so its other lines would not fit the completed ` +
    'ones. Create a batch for them',
  param: null,
  line: null,
});

const expiredMessage = 'This request could not be executed before the completion window expired.';
const cancelledMessage = 'This request was not executed because the batch was cancelled.';

/** Thrown when another process has taken the batch, or somebody has cancelled it. */
export class Lost extends Error {}
const lost = (): Error => new Lost('Another process has the batch');
