import type { Clock } from './clock.ts';
import { newId } from './ids.ts';

/** Periodic work. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Whether only one replica does the work at a time, under a lease with the chore's name. */
  readonly isShared: boolean;
  /**
   * Does the work once. Has to end soon after the signal aborts: at a shutdown, and before the lease ends. What is left
   * is done in a later round. `nowMs` is the database's time if the work is shared.
   */
  run(round: { readonly signal: AbortSignal; readonly nowMs: number }): Promise<void>;
  onError(reason: unknown): void;
}

const firstAfterMs = 5_000;
/** A lease ends this long before the next round, so that its holder can take it again. */
const leaseEndsBeforeMs = 5_000;

type TakeLease = (name: string, holder: string, forMs: number) => Promise<number | null>;

/** Runs chores: each soon after the start and then at its interval, never twice at the same time. */
export class Chores {
  readonly #takeLease: TakeLease;
  readonly #clock: Clock;
  readonly #holder = newId();
  readonly #closing = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #starts: (() => Promise<void>)[] = [];

  constructor(takeLease: TakeLease, clock: Clock) {
    this.#takeLease = takeLease;
    this.#clock = clock;
  }

  /**
   * Adds a chore. Returns a function that starts a round now or after the one in progress, and resolves when that round
   * has ended. It never rejects: failures go to `onError`.
   */
  add(chore: Chore): () => Promise<void> {
    let last = Promise.resolve();
    let next: Promise<void> | undefined;
    const start = (): Promise<void> => {
      next ??= last.then(() => {
        next = undefined;
        last = this.#round(chore).catch(chore.onError);
        return last;
      });
      return next;
    };
    const { everyMs } = chore;
    const timers = [setTimeout(start, Math.min(firstAfterMs, everyMs)), setInterval(start, everyMs)];
    for (const timer of timers) timer.unref();
    this.#timers.push(...timers);
    this.#starts.push(start);
    return start;
  }

  /** Stops all chores early, and resolves when the rounds in progress have ended. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#closing.abort();
    await Promise.all(this.#starts.map((start) => start()));
  }

  async #round({ name, everyMs, isShared, run }: Chore): Promise<void> {
    const closing = this.#closing.signal;
    if (closing.aborted) return;
    if (!isShared) return run({ signal: closing, nowMs: this.#clock.now() });
    const leaseMs = everyMs - leaseEndsBeforeMs;
    const signal = AbortSignal.any([closing, AbortSignal.timeout(leaseMs)]);
    const nowMs = await this.#takeLease(name, this.#holder, leaseMs);
    if (nowMs !== null) await run({ signal, nowMs });
  }
}
