import { performance } from 'node:perf_hooks';
import { newId } from '../lib/ids.ts';
import { inSteps } from '../lib/in-steps.ts';
import type { LeaseStore } from '../lib/leases.ts';

/** How far the rows of an organization have been deleted. */
export interface DeletionProgress {
  /** The table, by its place among those that may have rows. */
  readonly table: number;
  /** The last row that was deleted there. */
  readonly day: number;
  readonly keyId: string;
}

/** What organizations that were deleted have left: rows of usage, which nothing reads any more. */
export interface DeletionStore {
  /** The organizations that may have left rows, the one that was deleted first at the front. */
  list(limit: number): Promise<string[]>;
  /** Deletes the next rows, within milliseconds. Returns how far it is then; null when there are no more. */
  step(orgId: string, progress: DeletionProgress | null): Promise<DeletionProgress | null>;
  /** Forgets the organization, unless it was deleted so recently that something may still be writing for it. */
  finish(orgId: string): Promise<void>;
}

interface Parts {
  readonly store: DeletionStore;
  readonly leases: LeaseStore;
  onError(reason: unknown): void;
}

const firstAfterMs = 5_000;
/** A little longer than the lease, so that the second look finds that of a replica which was killed at its end. */
const everyMs = 15_000;
const leaseMs = 10_000;
const organizationsPerLook = 100;

/**
 * Deletes what deleted organizations have left: by one of all replicas at a time, in small steps, soon after the deletion. What a
 * replica leaves undone, because it stops or is killed, the next one to look goes on with.
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

  /** Looks for what is left, after what is under way. Failures go to `onError`. */
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

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Ends early; resolves when the step that is under way is done. */
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

  /** Returns false when it was broken off, or is another replica's to do. */
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
