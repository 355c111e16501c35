import type { QueuedText } from './job.ts';

const minuteMs = 60_000;
const keptMinutes = 5;

/** How long the models of this process have computed for each organization in the last minutes. */
export class ComputingTime {
  /** What each organization has used, by minute. */
  readonly #minutes = new Map<number, Map<string, number>>();

  /** Divides the time of a batch among its texts by their tokens. */
  add(batch: readonly QueuedText[], ms: number): void {
    const minute = this.#now();
    const used = this.#minutes.get(minute) ?? new Map<string, number>();
    this.#minutes.set(minute, used);
    const tokens = batch.reduce((sum, { prepared }) => sum + prepared.tokenCount, 0);
    for (const { job, prepared } of batch) {
      const { id } = job.organization;
      used.set(id, (used.get(id) ?? 0) + (ms * prepared.tokenCount) / Math.max(1, tokens));
    }
  }

  /** Returns the organizations that used the most, and the milliseconds of each. */
  busiest(most: number): [orgId: string, ms: number][] {
    this.#now();
    const sums = new Map<string, number>();
    for (const [orgId, ms] of [...this.#minutes.values()].flatMap((used) => [...used]))
      sums.set(orgId, (sums.get(orgId) ?? 0) + ms);
    return [...sums].sort(([, a], [, b]) => b - a).slice(0, most);
  }

  /** Returns the minute, and forgets those that are too old. */
  #now(): number {
    const now = Math.floor(performance.now() / minuteMs);
    for (const minute of this.#minutes.keys()) if (minute <= now - keptMinutes) this.#minutes.delete(minute);
    return now;
  }
}
