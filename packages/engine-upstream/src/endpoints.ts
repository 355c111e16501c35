import { setTimeout } from 'node:timers/promises';
import { backoffMs } from '../../small/src/retry.ts';
import type { Attempt, BatchState, Endpoint } from './endpoint.ts';
import { UpstreamFailure } from './failures.ts';

const maxRetries = 3;
const delays = { firstMs: 200, longestMs: 5_000 };

/** All addresses of one upstream, used in turn. If one fails, the others take over. */
export class Endpoints {
  readonly all: readonly Endpoint[];
  #turn = 0;

  constructor(endpoints: readonly Endpoint[]) {
    this.all = endpoints;
  }

  /**
   * Tries one address after the other. If all fail, retries those whose failure may be temporary, after a growing
   * random delay or the delay they requested. Throws the last UpstreamFailure when a retry would be after `deadline`
   * (on the clock of `performance.now`). Throws an InputRefused immediately. Retries a failure caused by the texts at
   * most once.
   */
  async send<T>(attempt: Attempt<T>, deadline: number, batch: BatchState = { isAlive: false }): Promise<T> {
    const usable = new Set(this.#inTurn());
    let last: UpstreamFailure | undefined;
    let ofTexts: UpstreamFailure | undefined;
    for (let retries = 0; ; retries += 1) {
      for (const endpoint of usable) {
        const remainingMs = Math.ceil(deadline - performance.now());
        if (endpoint.restMs > 0 || remainingMs <= 0) continue;
        try {
          const timeoutMs = Math.min(attempt.timeoutMs, remainingMs);
          return await endpoint.send({ ...attempt, timeoutMs }, batch);
        } catch (reason) {
          if (!(reason instanceof UpstreamFailure)) throw reason;
          last = reason;
          if (reason.isOfTexts) ofTexts = reason;
          if (!reason.mayRepeat) usable.delete(endpoint);
        }
      }
      if (ofTexts && (!ofTexts.mayRepeat || retries > 0)) throw ofTexts;
      const restMs = Math.min(...[...usable].map((endpoint) => endpoint.restMs));
      const delayMs = Math.max(restMs, backoffMs(retries, delays));
      if (usable.size === 0 || retries === maxRetries || performance.now() + delayMs > deadline) {
        throw ofTexts ?? this.#outOfReach(last, usable.size === 0 ? 0 : restMs);
      }
      await setTimeout(delayMs, undefined, { signal: attempt.signal });
    }
  }

  #inTurn(): Endpoint[] {
    this.#turn = (this.#turn + 1) % this.all.length;
    return [...this.all.slice(this.#turn), ...this.all.slice(0, this.#turn)];
  }

  #outOfReach(last: UpstreamFailure | undefined, restMs: number): UpstreamFailure {
    const message =
      last?.message ??
      `${this.all.map(({ name }) => name).join(', ')}: asks to retry later, or no time is left`;
    return new UpstreamFailure(message, {
      isConfiguration: last?.isConfiguration ?? false,
      retryAfterMs: restMs || last?.retryAfterMs,
    });
  }
}
