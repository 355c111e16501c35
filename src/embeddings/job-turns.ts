import type { PreparedText } from '../engines/engine.ts';
import type { Job, QueuedText } from './job.ts';

/**
 * The requests of one organization with waiting texts, in the order of their turns. A new request goes before those
 * that have had a turn, so a single text waits for one batch, however large the other requests are. To prevent
 * starvation, a request goes before those that arrive more than `patienceMs` after its last turn. Otherwise the longest
 * wait goes first.
 */
export class JobTurns<P extends PreparedText> {
  readonly #patienceMs: number;
  /** Arrival times of the requests that have not had a turn, in order of arrival. */
  readonly #fresh = new Map<Job<P>, number>();
  /** Last turns of the requests that have had one, earliest first. */
  readonly #begun = new Map<Job<P>, number>();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  get isEmpty(): boolean {
    return this.#fresh.size + this.#begun.size === 0;
  }

  /** Reports whether any waiting request has already had a turn. */
  get hasBegun(): boolean {
    return this.#begun.size > 0;
  }

  add(job: Job<P>, nowMs: number): void {
    this.#fresh.set(job, nowMs);
  }

  /** Returns about `count` texts: an equal share of each request, the one whose turn it is first. */
  texts(count: number): QueuedText<P>[] {
    const share = Math.ceil(count / (this.#fresh.size + this.#begun.size));
    const texts: QueuedText<P>[] = [];
    for (const job of this.#inTurn()) {
      if (texts.length >= count) break;
      let room = share;
      for (const text of job.waiting) {
        if (room-- === 0) break;
        texts.push(text);
      }
    }
    return texts;
  }

  endTurn(job: Job<P>, nowMs: number): void {
    this.remove(job);
    this.#begun.set(job, nowMs);
  }

  remove(job: Job<P>): void {
    this.#fresh.delete(job);
    this.#begun.delete(job);
  }

  *#inTurn(): Generator<Job<P>> {
    const begun = this.#begun.entries();
    let next = begun.next();
    for (const [job, cameAtMs] of this.#fresh) {
      for (; !next.done && next.value[1] + this.#patienceMs < cameAtMs; next = begun.next())
        yield next.value[0];
      yield job;
    }
    for (; !next.done; next = begun.next()) yield next.value[0];
  }
}
