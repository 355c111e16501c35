import { setTimeout } from 'node:timers/promises';

export interface RetryOptions {
  /** Reports whether another attempt may succeed after this failure. */
  readonly isPassing: (reason: unknown) => boolean;
  readonly maxAttempts: number;
  /** The pause before the second attempt, which doubles with each further one. Or a function that returns each pause. */
  readonly pauseMs: number | ((reason: unknown, attempt: number) => number);
  /** Ends the wait, which then throws. */
  readonly signal?: AbortSignal | undefined;
}

const longestPauseMs = 2_000;

/** Runs `action`, and runs it again after each failure that may pass. Throws the last failure. */
export async function retry<R>(
  action: () => Promise<R>,
  { isPassing, maxAttempts, pauseMs, signal }: RetryOptions,
): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (reason) {
      if (attempt === maxAttempts || !isPassing(reason)) throw reason;
      const waitMs =
        typeof pauseMs === 'function'
          ? pauseMs(reason, attempt)
          : backoffMs(attempt - 1, { firstMs: pauseMs, longestMs: longestPauseMs });
      await setTimeout(waitMs, undefined, { signal });
    }
  }
}

/**
 * Returns the pause before a retry, counted from 0. It doubles with each one. Half of it is random, so that requests don't
 * retry in lockstep.
 */
export function backoffMs(
  retries: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number {
  return Math.min(longestMs, firstMs * 2 ** retries) * (0.5 + Math.random() / 2);
}

/** Parses a Retry-After header: seconds or a date (RFC 9110). */
export function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
