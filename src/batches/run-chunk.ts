import { setTimeout as delay } from 'node:timers/promises';
import { TextFailed } from '../engines/text-errors.ts';
import { ServiceError } from '../errors.ts';
import { turnOfItsOwn } from '../lib/turns.ts';
import type { Line, LineOutcome } from './line.ts';

/** How many lines of a chunk run at a time. */
const linesAtATime = 128;
/** How often a line is tried. */
const maxAttempts = 3;
const retryMs = 1_000;

/** A line, and where the file goes on behind it. */
export interface Entry {
  readonly line: Line;
  readonly end: number;
}

const notRun = Symbol('not run');

/**
 * Runs the lines of a chunk. Returns an outcome for each, or the reason why it has none. Throws when the signal aborts, which
 * also ends the lines in progress.
 */
export async function runChunk(
  chunk: readonly Entry[],
  run: (line: Line) => Promise<LineOutcome>,
  signal: AbortSignal,
): Promise<unknown[]> {
  signal.throwIfAborted();
  const outcomes: unknown[] = new Array(chunk.length).fill(notRun);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const left = [...chunk.keys()].filter((i) => outcomes[i] === notRun || mayPass(outcomes[i]));
    if (left.length === 0) break;
    if (attempt > 1) await delay(retryMs, undefined, { signal });
    // All lanes take the next line from here.
    const rest = left.values();
    const lane = async (): Promise<void> => {
      for (const i of rest) {
        // Lines that start in one turn of the event loop would delay requests.
        await turnOfItsOwn();
        outcomes[i] = await run(chunk[i]!.line).catch((reason) => reason);
      }
    };
    await Promise.all(Array.from({ length: linesAtATime }, lane));
    signal.throwIfAborted();
  }
  return outcomes;
}

/** Reports whether a line has failed for a reason that has nothing to do with it: the quota, or an outage. */
export const mustWait = (reason: unknown): boolean =>
  reason instanceof ServiceError &&
  !(reason instanceof TextFailed) &&
  (reason.status >= 500 || reason.code === 'rate_limit_exceeded' || reason.code === 'request_timeout');

/** Reports whether a line may succeed soon. */
const mayPass = (reason: unknown): boolean =>
  reason instanceof Error && (!(reason instanceof ServiceError) || reason.status >= 500);
