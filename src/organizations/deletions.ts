import { performance } from 'node:perf_hooks';
import type { LeaseStore } from '../lib/database.ts';
import { newId } from '../lib/ids.ts';
import { inSteps } from '../lib/in-steps.ts';

/** The progress of deleting an organization's rows. */
export interface DeletionProgress {
  /** Index of the table among those that may have rows. */
  readonly table: number;
  /** The last row that was deleted from the table. */
  readonly day: number;
  readonly keyId: string;
}

/** Deletes the usage rows that deleted organizations have left. Nothing reads them any more. */
export interface DeletionStore {
  /** Returns the organizations that may have left rows, in order of deletion. */
  list(limit: number): Promise<string[]>;
  /** Deletes the next rows, within milliseconds. Returns the new progress, or null when there are no more rows. */
  step(orgId: string, progress: DeletionProgress | null): Promise<DeletionProgress | null>;
  /** Forgets the organization, unless it was deleted so recently that writes for it may still be in progress. */
  finish(orgId: string): Promise<void>;
}

interface Parts {
  readonly store: DeletionStore;
  readonly leases: LeaseStore;
  onError(reason: unknown): void;
}

const firstAfterMs = 5_000;
/** Longer than the lease, so that the lease of a replica that was killed has expired by the second run. */
const everyMs = 15_000;
const leaseMs = 10_000;
const organizationsPerLook = 100;

/**
 * Deletes the rows that deleted organizations have left, soon after the deletion and in small steps, on one replica at
 * a time. If a replica stops or is killed, the next one to run continues.
 */
export class Deletions {
  readonly #parts: Parts;
  readonly #holder = newId();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timers = [setTimeout(() => this.look(), firstAfterMs), setInterval(() => this.look(), everyMs)];
    for (const timer of this.#timers) timer.unref();
  }

  /** Starts a run after the one in progress. Failures go to `onError`. */
  look(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#running = this.#running
      .then(() => {
        this.#isWaiting = false;
        return this.#lookOnce();
      })
      .catch((reason) => this.#parts.onError(reason));
  }

  /** Resolves when no run is in progress. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Stops early, and resolves when the step in progress is done. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#closing.abort();
    await this.#running;
  }

  async #lookOnce(): Promise<void> {
    const { store } = this.#parts;
    if (this.#closing.signal.aborted) return;
    const orgIds = await store.list(organizationsPerLook);
    for (const orgId of orgIds) {
      if (!(await this.#deleteRows(orgId))) return;
    }
  }

  /** Returns false if it was stopped, or if another replica holds the lease. */
  async #deleteRows(orgId: string): Promise<boolean> {
    const { store, leases } = this.#parts;
    const { signal } = this.#closing;
    let takenAtMs = Number.NEGATIVE_INFINITY;
    let isOurs = true;
    let progress: DeletionProgress | null = null;
    await inSteps(async () => {
      if (performance.now() - takenAtMs > leaseMs / 3) {
        takenAtMs = performance.now();
        isOurs = (await leases.take('deletions', this.#holder, leaseMs)) !== null;
        if (!isOurs) return false;
      }
      progress = await store.step(orgId, progress);
      return progress !== null;
    }, signal);
    if (signal.aborted || !isOurs) return false;
    await store.finish(orgId);
    return true;
  }
}
