import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';
import type { Piece } from '../files/file.ts';
import { type Files, prefixedId } from '../files/files.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { turnOfItsOwn } from '../lib/turns.ts';
import type { Batch, BatchChange, BatchFault, BatchStatus, BatchStore } from './batch.ts';
import { DigestSet } from './digest-set.ts';
import type { Line, LineOutcome, LineSender, Lines } from './line.ts';
import { parseLine, rawLines } from './read-lines.ts';
import { packResults, type Result, renderResults, type Unrun } from './results.ts';

export interface RunnerParts {
  readonly store: BatchStore;
  readonly files: Files;
  readonly clock: Clock;
  /** The most texts of a batch. */
  readonly maxTexts: number;
  /** The most bytes of a line. */
  readonly maxLineBytes: number;
  onError(reason: unknown): void;
}

/** How long a batch of a process that is gone waits for another process. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** How long a batch runs until others that wait have their turn. */
const sliceMs = 60_000;
const maxBatchesAtATime = 16;
/** A chunk of lines gets its results at once. Two chunks of a batch are in progress at a time. */
const maxChunkTexts = 512;
const maxChunkBytes = 4 << 20;
const linesPerTurn = 16;
const maxFaults = 100;
/** How often a line is tried again while others succeed. */
const maxAttempts = 3;
const retryMs = 1_000;
/** How often a batch looks whether its quota or the model is back. */
const waitMs = 15_000;

interface Entry {
  readonly line: Line;
  readonly end: number;
}

/** A batch stops for now: it waits for the quota or for the model. */
class Paused extends Error {}

/**
 * Runs batches, a part of each at a time. Replicas share the work: a batch belongs to one process, under a lease. A chunk of
 * lines gets its results in one transaction, so each line has one result, however often processes die.
 */
export class BatchRunner {
  readonly #parts: RunnerParts;
  readonly #id = newId();
  readonly #closing = new AbortController();
  /** The batches at work here, each with its organization. */
  readonly #running = new Map<Promise<void>, string>();
  #lines: Lines | undefined;
  #looking: Promise<void> | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Begins to run batches. */
  begin(lines: Lines): void {
    this.#lines = lines;
    this.kick();
  }

  /** Looks for batches with work to do. */
  kick(): void {
    if (!this.#lines || this.#closing.signal.aborted) return;
    this.#looking ??= this.#look()
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** Gives the batches back, for other processes. What they have in progress is dropped, and stays in the cache. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#looking;
    await Promise.all(this.#running.keys());
  }

  async #look(): Promise<void> {
    const { store } = this.#parts;
    for (const { batchId, orgId } of await store.due()) {
      if (this.#running.size >= maxBatchesAtATime || this.#closing.signal.aborted) return;
      // An organization's batches run one after another.
      if ([...this.#running.values()].includes(orgId)) continue;
      const batch = await store.claim(batchId, this.#id, leaseMs);
      if (batch) this.#start(batch);
    }
  }

  #start(batch: Batch): void {
    const running: Promise<void> = this.#slice(batch)
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => {
        this.#running.delete(running);
        this.kick();
      });
    this.#running.set(running, batch.orgId);
  }

  /** Runs a batch until it ends, waits or has had its turn, and gives it back. */
  async #slice(batch: Batch): Promise<void> {
    const { store } = this.#parts;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
    const renewing = setInterval(async () => {
      const status = await store.renew(batch.batchId, this.#id, leaseMs).catch(() => batch.status);
      if (status === undefined || status === 'cancelling') stop.abort();
    }, renewEveryMs);
    let wait = { ms: 0, reason: null as string | null };
    try {
      await new Run(this.#parts, this.#lines!, this.#id, batch, signal).run();
    } catch (reason) {
      if (reason instanceof Paused) wait = { ms: waitMs, reason: reason.message };
      else if (!signal.aborted && !(reason instanceof Lost)) {
        wait = { ms: waitMs, reason: 'The service could not go on. It tries again.' };
        this.#parts.onError(reason);
      }
    } finally {
      clearInterval(renewing);
      await store.release(batch.batchId, this.#id, wait);
    }
  }
}

/** One turn of a batch. */
class Run {
  readonly #parts: RunnerParts;
  readonly #lines: Lines;
  readonly #runner: string;
  readonly #signal: AbortSignal;
  readonly #untilMs = performance.now() + sliceMs;
  #batch: Batch;

  constructor(parts: RunnerParts, lines: Lines, runner: string, batch: Batch, signal: AbortSignal) {
    this.#parts = parts;
    this.#lines = lines;
    this.#runner = runner;
    this.#batch = batch;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    if (this.#batch.endedAt !== null) return this.#change({ isNotified: true });
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

  /** Reads the whole file. Ends the batch with all faults, or begins it. */
  async #validate(): Promise<void> {
    const { maxTexts } = this.#parts;
    const faults: BatchFault[] = [];
    const ids = new DigestSet();
    let line = 0;
    let texts = 0;
    let model: string | undefined;
    const add = (code: string, message: string, param: string | null = null, at: number | null = line) =>
      faults.push({ code, message, param, line: at });
    const sender = await this.#sender(add);
    if (sender) {
      for await (const raw of this.#raw(0)) {
        if (faults.length >= maxFaults || this.#signal.aborted) break;
        line += 1;
        const parsed = parseLine(raw, this.#batch.endpoint);
        if ('code' in parsed) {
          add(parsed.code, parsed.message, parsed.param);
          continue;
        }
        if (!ids.add(parsed.customId)) {
          add('duplicate_custom_id', `Another line has the custom_id "${parsed.customId}" too`, 'custom_id');
          continue;
        }
        try {
          const checked = sender.check(this.#batch.endpoint, parsed.body);
          model ??= checked.model;
          if (checked.model !== model)
            add(
              'mismatched_model',
              `All lines must have one model, and the first has "${model}"`,
              'body.model',
            );
          texts += checked.texts;
        } catch (reason) {
          if (!(reason instanceof ServiceError)) throw reason;
          const isUnknown = reason.fault === 'unknown model';
          add(isUnknown ? 'model_not_found' : 'invalid_body', reason.message, `body.${reason.param ?? ''}`);
        }
        if (texts > maxTexts) {
          const most = maxTexts.toLocaleString('en-US');
          add(
            'token_limit_exceeded',
            `The lines up to this one have more than ${most} texts, which is the maximum`,
          );
          break;
        }
      }
      if (line === 0) add('empty_file', 'The file has no line', null, null);
    }
    this.#signal.throwIfAborted();
    const nowMs = this.#parts.clock.now();
    if (faults.length > 0) {
      const times = { ...this.#batch.times, failed: nowMs };
      await this.#change({ status: 'failed', errors: faults, times, endedAt: nowMs, isNotified: true });
      return;
    }
    const name = this.#batch.batchId;
    const [outputFileId, errorFileId] = [prefixedId('file-'), prefixedId('file-')];
    const files = [
      { fileId: outputFileId, filename: `${name}_output.jsonl` },
      { fileId: errorFileId, filename: `${name}_error.jsonl` },
    ];
    await this.#parts.store.beginFiles(this.#batch, files, nowMs);
    await this.#change({ status: 'in_progress', model: model!, total: line, outputFileId, errorFileId });
  }

  async #sender(
    add: (code: string, message: string, param: null, line: null) => void,
  ): Promise<LineSender | undefined> {
    try {
      return await this.#lines.sender(this.#batch);
    } catch (reason) {
      if (!(reason instanceof ServiceError) || reason.status >= 500) throw reason;
      add(reason.code, 'The key that created the batch was revoked', null, null);
      return undefined;
    }
  }

  #raw(start: number) {
    const { files, maxLineBytes } = this.#parts;
    const file = { fileId: this.#batch.inputFileId, content: 'bytes' as const };
    return rawLines(files.read(file, start), { start, maxBytes: maxLineBytes });
  }

  /** Yields the lines that have no result yet, in chunks. */
  async *#chunks(textsOf: (line: Line) => number): AsyncGenerator<Entry[], void> {
    const { endpoint } = this.#batch;
    let chunk: Entry[] = [];
    let texts = 0;
    let bytes = 0;
    for await (const raw of this.#raw(this.#batch.nextByte)) {
      const line = parseLine(raw, endpoint);
      if ('code' in line) throw new Error('The input file has changed');
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

  /** Runs the lines. Returns false if some are left, because the turn or the batch's time has ended. */
  async #work(): Promise<boolean> {
    const sender = await this.#sender(() => {});
    if (!sender) {
      await this.#change({ status: 'cancelling' });
      return false;
    }
    const { endpoint, total } = this.#batch;
    const textsOf = ({ body }: Line): number => {
      try {
        return sender.check(endpoint, body).texts;
      } catch {
        // The model is no longer served. Running the line reports that.
        return 1;
      }
    };
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#signal]);
    let committed: Promise<void> = Promise.resolve();
    let running: Promise<unknown> = committed;
    try {
      for await (const chunk of this.#chunks(textsOf)) {
        // Two chunks are in progress, so that the model has work while the first one ends.
        const results = this.#runChunk(chunk, sender, signal);
        running = Promise.allSettled([running, results]).then(() => undefined);
        await committed;
        committed = results.then((outcomes) => this.#commitChunk(chunk, outcomes));
        committed.catch(() => {});
        if (this.#isOver) break;
      }
      await committed;
    } finally {
      ending.abort();
      await running;
    }
    if (this.#batch.nextLine < total && !this.#isOver) throw new Error('The input file has changed');
    return this.#batch.nextLine === total;
  }

  get #isOver(): boolean {
    return (
      this.#signal.aborted ||
      performance.now() > this.#untilMs ||
      this.#parts.clock.now() >= this.#batch.expiresAt
    );
  }

  /** Runs the lines of a chunk. Returns an outcome for each, or the reason why it has none. */
  async #runChunk(chunk: readonly Entry[], sender: LineSender, signal: AbortSignal): Promise<unknown[]> {
    const outcomes: unknown[] = new Array(chunk.length).fill(notRun);
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const left = [...chunk.keys()].filter((i) => outcomes[i] === notRun || isPassing(outcomes[i]));
      if (left.length === 0) break;
      if (attempt > 1) await delay(retryMs, undefined, { signal });
      const runs: Promise<void>[] = [];
      for (const [place, i] of left.entries()) {
        // Hundreds of lines in one turn of the event loop would delay requests.
        if (place % linesPerTurn === linesPerTurn - 1) await turnOfItsOwn();
        const run = sender.run(this.#batch.endpoint, chunk[i]!.line.body, signal).then(
          (outcome) => {
            outcomes[i] = outcome;
          },
          (reason) => {
            outcomes[i] = reason;
          },
        );
        runs.push(run);
      }
      await Promise.all(runs);
      signal.throwIfAborted();
    }
    return outcomes;
  }

  /** Stores the results up to the first line that has to wait. */
  async #commitChunk(chunk: readonly Entry[], outcomes: readonly unknown[]): Promise<void> {
    const isDown = outcomes.every(isPassing);
    const waits = outcomes.findIndex((outcome) => isQuota(outcome) || (isDown && isPassing(outcome)));
    const done = waits < 0 ? chunk.length : waits;
    const output: Result[] = [];
    const errors: (Result | Unrun)[] = [];
    const sums = { cached: 0, texts: 0, tokens: 0, cachedTokens: 0 };
    for (let i = 0; i < done; i += 1) {
      const { customId } = chunk[i]!.line;
      const id = prefixedId('batch_req_');
      const outcome = outcomes[i];
      if (outcome instanceof Error) {
        errors.push({ id, customId, ...failureOf(outcome) });
        continue;
      }
      const { status, requestId, body, tokens, cached } = outcome as LineOutcome;
      output.push({ id, customId, status, requestId, body });
      sums.texts += body.kind === 'embeddings' ? body.vectors.length : 0;
      sums.tokens += tokens;
      if (cached) sums.cached += 1;
      if (cached) sums.cachedTokens += tokens;
    }
    if (done > 0) await this.#commit(chunk[done - 1]!.end, output, errors, sums);
    if (waits >= 0) {
      const reason = outcomes[waits] as ServiceError;
      if (this.#parts.clock.now() < this.#batch.expiresAt) throw new Paused(reason.message);
    }
  }

  async #commit(
    nextByte: number,
    output: readonly Result[],
    errors: readonly (Result | Unrun)[],
    sums = { cached: 0, texts: 0, tokens: 0, cachedTokens: 0 },
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
    if (!(await this.#parts.store.commit(this.#batch, this.#runner, progress))) throw lost();
    this.#batch = { ...this.#batch, nextLine: progress.nextLine, nextByte };
  }

  async #piece(results: readonly (Result | Unrun)[], position: number): Promise<Piece | undefined> {
    if (results.length === 0) return undefined;
    const packed = packResults(results);
    const { length } = await renderResults(packed);
    return this.#parts.files.writePiece(packed, length, position);
  }

  /** Gives all lines that were not run an error. */
  async #drop(code: string, message: string): Promise<void> {
    for await (const chunk of this.#chunks(() => 1)) {
      const errors = chunk.map(({ line: { customId } }) => ({
        id: prefixedId('batch_req_'),
        customId,
        error: { code, message },
      }));
      await this.#commit(chunk.at(-1)!.end, [], errors);
    }
  }

  async #finish(status: 'completed' | 'expired' | 'cancelled'): Promise<void> {
    const { store, clock } = this.#parts;
    const { outputFileId, errorFileId, outputExpiresAfterMs, times } = this.#batch;
    const nowMs = clock.now();
    const ids = [outputFileId, errorFileId].filter((id) => id !== null);
    const left = ids.length > 0 ? await store.finishFiles(ids, nowMs + outputExpiresAfterMs) : [];
    const kept = (id: string | null): string | null => (id !== null && left.includes(id) ? id : null);
    await this.#change({
      status,
      times: { ...times, [status]: nowMs },
      endedAt: nowMs,
      isNotified: true,
      outputFileId: kept(outputFileId),
      errorFileId: kept(errorFileId),
    });
  }

  async #change(change: BatchChange): Promise<void> {
    const { batchId, status, times } = this.#batch;
    const next: BatchStatus | undefined = change.status;
    const stamped =
      next && !change.times ? { ...change, times: { ...times, [next]: this.#parts.clock.now() } } : change;
    if (!(await this.#parts.store.change(batchId, this.#runner, status, stamped))) throw lost();
    this.#batch = { ...this.#batch, ...stamped };
  }
}

const notRun = Symbol('not run');

const expiredMessage = 'This request could not be executed before the completion window expired.';
const cancelledMessage = 'This request was not executed because the batch was cancelled.';

/** Another process has the batch, or somebody cancelled it. */
class Lost extends Error {}
const lost = (): Error => new Lost('Another process has the batch');

const isQuota = (reason: unknown): boolean =>
  reason instanceof ServiceError && reason.code === 'rate_limit_exceeded';

/** Reports whether a line has failed for a reason that may pass. */
const isPassing = (reason: unknown): boolean =>
  reason instanceof Error &&
  (!(reason instanceof ServiceError) || reason.status >= 500 || reason.status === 408);

function failureOf(reason: Error): Pick<Result, 'status' | 'requestId' | 'body'> {
  const error =
    reason instanceof ServiceError
      ? { status: reason.status, code: reason.code, message: reason.message, param: reason.param ?? null }
      : { status: 500, code: 'internal_error', message: 'Something went wrong on our side', param: null };
  const { status, ...shown } = error;
  const value = { error: { ...shown, type: status < 500 ? 'invalid_request_error' : 'server_error' } };
  return { status, requestId: newId(), body: { kind: 'json', value } };
}
