import { newId } from '../lib/ids.ts';
import type { Batch } from './batch.ts';
import type { Lines } from './line.ts';
import { Lost, Paused, Run, type RunParts } from './run.ts';

export interface RunnerParts extends RunParts {
  onError(reason: unknown): void;
}

/** How long a batch of a process that is gone waits for another process. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
const maxBatchesAtATime = 16;
/** How often a batch looks whether its quota or the model is back. */
const waitMs = 15_000;

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
    if (this.#running.size >= maxBatchesAtATime) return;
    // In one process, an organization's batches run one after another.
    for (const { batchId } of await store.due([...this.#running.values()])) {
      if (this.#running.size >= maxBatchesAtATime || this.#closing.signal.aborted) return;
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
    const run = new Run(this.#parts, this.#lines!, this.#id, batch, signal);
    const renewing = setInterval(async () => {
      const status = await store.renew(batch.batchId, this.#id, leaseMs).catch(() => batch.status);
      if (status === undefined) stop.abort();
      if (status === 'cancelling' && status !== batch.status) run.stop();
    }, renewEveryMs);
    let wait = { ms: 0, reason: null as string | null };
    try {
      await run.run();
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
