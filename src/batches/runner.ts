import { newId } from '../lib/ids.ts';
import type { Batch } from './batch.ts';
import type { Lines } from './line.ts';
import { BatchRun, Lost, Paused, type RunParts, waitMs } from './run.ts';

export interface RunnerParts extends RunParts {
  onError(reason: unknown): void;
  /** Resolves with false while the clock may be wrong: batches would then expire. */
  isClockTrusted(): Promise<boolean>;
}

/** How long a batch of a process that is gone waits for another process. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
const maxBatchesAtATime = 16;

/**
 * Runs batches, a part of each at a time. Replicas share the work: a batch belongs to one process, under a lease. A
 * chunk of lines gets its results in one transaction, so each line has one result, however often processes die.
 */
export class BatchRunner {
  readonly #parts: RunnerParts;
  readonly #id = newId();
  readonly #closing = new AbortController();
  /** The batches at work here, by id. */
  readonly #running = new Map<string, { orgId: string; run: BatchRun; ended: Promise<void> }>();
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

  /** Stops a batch that was cancelled. If it runs in another process, that stops it when it renews its lease. */
  stop(batchId: string): void {
    this.#running.get(batchId)?.run.stop();
    this.kick();
  }

  /** Gives the batches back, for other processes. What they have in progress is dropped, and stays in the cache. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #look(): Promise<void> {
    const { batches } = this.#parts;
    if (this.#running.size >= maxBatchesAtATime) return;
    // In one process, an organization's batches run one after another.
    const due = await batches.due([...this.#running.values()].map(({ orgId }) => orgId));
    // Asked only if there is work: this runs each second.
    if (due.length === 0 || !(await this.#parts.isClockTrusted())) return;
    for (const { batchId } of due) {
      if (this.#running.size >= maxBatchesAtATime || this.#closing.signal.aborted) return;
      const batch = await batches.claim(batchId, this.#id, leaseMs);
      if (batch) this.#start(batch);
    }
  }

  #start(batch: Batch): void {
    const { batchId, orgId } = batch;
    const run = new BatchRun(this.#parts, this.#lines!, this.#id, batch, this.#closing.signal);
    const ended = this.#slice(batchId, run)
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => {
        this.#running.delete(batchId);
        this.kick();
      });
    this.#running.set(batchId, { orgId, run, ended });
  }

  /** Runs a batch until it ends, waits or has had its turn, and gives it back. */
  async #slice(batchId: string, run: BatchRun): Promise<void> {
    const renewing = setInterval(() => run.renew(leaseMs).catch(() => {}), renewEveryMs);
    let wait = { ms: 0, reason: null as string | null };
    try {
      await run.run();
    } catch (reason) {
      if (reason instanceof Paused) wait = { ms: reason.ms, reason: reason.message || null };
      else if (!run.signal.aborted && !(reason instanceof Lost)) {
        wait = { ms: waitMs, reason: 'The service could not go on. It tries again.' };
        this.#parts.onError(reason);
      }
    } finally {
      clearInterval(renewing);
      await this.#parts.batches.release(batchId, this.#id, wait);
      setTimeout(() => this.kick(), wait.ms).unref();
    }
  }
}
