import type { Clock } from '../lib/clock.ts';
import { inSteps, throughAll } from '../lib/in-steps.ts';
import type { RequestLogReader, RequestLogStore } from './request-log.ts';

/** How many days the usage by hour is kept. */
export const hourlyUsageDays = 35;
const dayMs = 86_400_000;
/** An organization may have this part more entries than the maximum before they are deleted. */
const slack = 0.05;

/** Deletes the entries of the request log that are too old or too many, and the old usage by hour. */
export class RequestPruning {
  readonly #store: RequestLogStore & RequestLogReader;
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #maxRows: number;
  readonly #onError: (reason: unknown) => void;
  /** Entries that this process has written since the organization's last pruning. */
  readonly #written = new Map<string, number>();
  #pruning: Promise<void> = Promise.resolve();

  constructor(parts: {
    readonly store: RequestLogStore & RequestLogReader;
    readonly clock: Clock;
    readonly maxAgeMs: number;
    readonly maxRows: number;
    readonly onError: (reason: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#maxAgeMs = parts.maxAgeMs;
    this.#maxRows = parts.maxRows;
    this.#onError = parts.onError;
  }

  /** Notes that entries were written. Prunes the organization, without waiting, once there are many. */
  written(orgId: string, entries: number): void {
    const since = (this.#written.get(orgId) ?? 0) + entries;
    this.#written.set(orgId, since);
    if (since < slack * this.#maxRows) return;
    this.#written.delete(orgId);
    this.#pruning = this.#pruning.then(() => this.#pruneExcess(orgId)).catch(this.#onError);
  }

  /** Prunes all organizations. */
  async pruneAll(signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.now();
    const beforeMs = nowMs - this.#maxAgeMs;
    const beforeHour = Math.floor((nowMs - hourlyUsageDays * dayMs) / 3_600_000);
    await throughAll((after) => this.#store.pruneOld({ beforeMs, beforeHour }, after), signal);
    // The counts of other processes, and of this one before its start, are not known here.
    if (signal.aborted) return;
    for (const orgId of await this.#store.crowded(this.#maxRows)) await this.#pruneExcess(orgId, signal);
  }

  async #pruneExcess(orgId: string, signal?: AbortSignal): Promise<void> {
    const at = await this.#store.excessAt(orgId, this.#maxRows);
    if (at !== undefined) await inSteps(() => this.#store.pruneSome(orgId, at + 1), signal);
  }

  /** Resolves when no pruning is in progress. */
  close(): Promise<void> {
    return this.#pruning;
  }
}
