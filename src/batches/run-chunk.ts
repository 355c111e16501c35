import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '../../packages/small/src/retry.ts';
import { isGone, isRefusal } from '../embeddings/own-failure.ts';
import { TextFailed } from '../embeddings/text-errors.ts';
import { ServiceError } from '../errors.ts';
import { prefixedId } from '../lib/ids.ts';
import type { Entry } from './chunks.ts';
import type { BatchLine, LineOutcome, Lines } from './line.ts';
import type { Result, Unrun } from './results.ts';

/** How many lines of a chunk run at a time. */
const linesAtATime = 128;
/** How often a line is tried. */
const maxAttempts = 3;
const pauses = { firstMs: 1_000, longestMs: 10_000 };

const notRun = Symbol('not run');

/**
 * Runs the lines of a chunk. Returns an outcome for each, or the reason why it has none. Begins no more of them when
 * `stopping` aborts, or the quota or a limit has refused one. Throws when the signal aborts, which also ends the
 * lines in progress.
 */
export async function runChunk(
  chunk: readonly Entry[],
  run: (line: BatchLine, stopping: AbortSignal) => Promise<LineOutcome>,
  signal: AbortSignal,
  stopping = signal,
  onBegun = () => {},
): Promise<unknown[]> {
  signal.throwIfAborted();
  const outcomes: unknown[] = new Array(chunk.length).fill(notRun);
  const refused = new AbortController();
  const ending = AbortSignal.any([refused.signal, stopping]);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const left = [...chunk.keys()].filter((i) => outcomes[i] === notRun || mayPass(outcomes[i]));
    if (left.length === 0 || ending.aborted) break;
    if (attempt > 1) await delay(backoffMs(attempt - 2, pauses), undefined, { signal });
    // All lanes take the next line from here.
    const rest = left.values();
    const lane = async (): Promise<void> => {
      for (const i of rest) {
        if (ending.aborted) return;
        outcomes[i] = await run(chunk[i]!.line, ending).catch((reason) => reason);
        if (isRefusal(outcomes[i])) refused.abort();
      }
      if (!ending.aborted) onBegun();
    };
    await Promise.all(Array.from({ length: linesAtATime }, lane));
    signal.throwIfAborted();
  }
  return outcomes;
}

/** The outcome of a line that is never run. */
export class Dropped {
  readonly error: Unrun['error'];

  constructor(code: string, message: string) {
    this.error = { code, message };
  }
}

export const noSums = { cached: 0, texts: 0, tokens: 0, cachedTokens: 0 };

/** Returns the results of lines, and the errors of those that have failed. */
export function resultsOf(lines: readonly Entry[], outcomes: readonly unknown[], { failure }: Lines) {
  const output: Result[] = [];
  const errors: (Result | Unrun)[] = [];
  const sums = { ...noSums };
  for (const [i, { line }] of lines.entries()) {
    const ids = { id: prefixedId('batch_req_'), customId: line.customId };
    const outcome = outcomes[i];
    if (outcome instanceof Dropped) {
      errors.push({ ...ids, error: outcome.error });
      continue;
    }
    if (outcome instanceof Error) {
      errors.push({ ...ids, ...failure(outcome) });
      continue;
    }
    const { tokens, cached, ...response } = outcome as LineOutcome;
    output.push({ ...ids, ...response });
    sums.texts += response.body.kind === 'embeddings' ? response.body.vectors.length : 0;
    sums.tokens += tokens;
    if (cached) sums.cached += 1;
    if (cached) sums.cachedTokens += tokens;
  }
  return { output, errors, sums };
}

/**
 * Reports whether a line has not begun, or failed for a reason that has nothing to do with it: the quota, or an
 * outage.
 */
export const mustWait = (reason: unknown): boolean =>
  reason === notRun ||
  (reason instanceof ServiceError &&
    !(reason instanceof TextFailed) &&
    (reason.status >= 500 || isRefusal(reason) || isGone(reason)));

/** Reports whether a line may succeed soon. */
const mayPass = (reason: unknown): boolean =>
  reason instanceof Error && (!(reason instanceof ServiceError) || reason.status >= 500);
