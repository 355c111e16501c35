import { FairOrder } from '../lib/fair-order.ts';
import type { Job, QueuedText } from './job.ts';

/** Maximum number of texts that a batch is chosen from. */
const windowTexts = 256;

/**
 * The waiting texts of all organizations. Organizations get computing time in proportion to their weights, and the
 * requests of each one take turns. A text is charged its tokens and a constant, because short texts cost more than
 * their tokens. See docs/fair-queue.md.
 */
export class FairQueue {
  readonly #overheadTokens: number;
  readonly #patienceMs: number;
  readonly #order = new FairOrder();
  /** The organizations with waiting texts. */
  readonly #organizations = new Map<string, JobTurns>();
  #waitingTexts = 0;

  /** `overheadTokens` is what a text costs besides its tokens. `patienceMs` as in JobTurns. */
  constructor({ overheadTokens, patienceMs }: { overheadTokens: number; patienceMs: number }) {
    this.#overheadTokens = overheadTokens;
    this.#patienceMs = patienceMs;
  }

  get waitingTexts(): number {
    return this.#waitingTexts;
  }

  get waitingOrganizations(): number {
    return this.#organizations.size;
  }

  /** Reports whether any waiting request has already had a turn. */
  get hasBegun(): boolean {
    for (const turns of this.#organizations.values()) if (turns.hasBegun) return true;
    return false;
  }

  add(job: Job, nowMs: number): void {
    const { organization } = job;
    const turns = this.#organizations.get(organization.id) ?? new JobTurns(this.#patienceMs);
    this.#organizations.set(organization.id, turns);
    turns.add(job, nowMs);
    this.#order.join(organization);
    this.#waitingTexts += job.waiting.size;
  }

  /**
   * Returns the texts to choose a batch from: an equal number of each organization, the one whose turn it is first.
   * Leaves out organizations that are ahead of it by more than `maxLeadTokens`. Otherwise an organization could get
   * more than its share, because its texts have the right length for the batches of others.
   */
  window(maxLeadTokens: number): QueuedText[] {
    const organizations = this.#order.next(maxLeadTokens);
    const share = Math.ceil(windowTexts / organizations.length);
    const window: QueuedText[] = [];
    for (const id of organizations) {
      if (window.length >= windowTexts) break;
      for (const text of this.#organizations.get(id)!.texts(share)) window.push(text);
    }
    return window;
  }

  /**
   * Removes a batch, charges each organization for its own texts, and ends the turn of the request that the first text
   * belongs to.
   */
  take(batch: readonly QueuedText[], nowMs: number): void {
    const [first] = batch;
    if (!first) return;
    this.#order.serve(first.job.organization.id);
    for (const text of batch) {
      text.job.start(text);
      // Not the padding: what an organization pays must not depend on whose texts share the batch.
      this.#order.charge(text.job.organization.id, text.prepared.tokenCount + this.#overheadTokens);
    }
    this.#waitingTexts -= batch.length;
    this.#organizations.get(first.job.organization.id)?.endTurn(first.job, nowMs);
    for (const { job } of batch) if (job.waiting.size === 0) this.#forget(job);
  }

  /** Drops the waiting texts of a request. */
  remove(job: Job): void {
    this.#waitingTexts -= job.waiting.size;
    job.waiting.clear();
    this.#forget(job);
  }

  #forget(job: Job): void {
    const { id } = job.organization;
    const turns = this.#organizations.get(id);
    turns?.remove(job);
    if (!turns?.isEmpty) return;
    this.#organizations.delete(id);
    this.#order.leave(id);
  }
}

/**
 * The requests of one organization with waiting texts, in the order of their turns. A new request goes before those
 * that have had a turn, so a single text waits for one batch, however large the other requests are. To prevent
 * starvation, a request goes before those that arrive more than `patienceMs` after its last turn. Otherwise the longest
 * wait goes first.
 */
class JobTurns {
  readonly #patienceMs: number;
  /** Arrival times of the requests that have not had a turn, in order of arrival. */
  readonly #fresh = new Map<Job, number>();
  /** Last turns of the requests that have had one, earliest first. */
  readonly #begun = new Map<Job, number>();

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

  add(job: Job, nowMs: number): void {
    this.#fresh.set(job, nowMs);
  }

  /** Returns about `count` texts: an equal share of each request, the one whose turn it is first. */
  texts(count: number): QueuedText[] {
    const share = Math.ceil(count / (this.#fresh.size + this.#begun.size));
    const texts: QueuedText[] = [];
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

  endTurn(job: Job, nowMs: number): void {
    this.remove(job);
    this.#begun.set(job, nowMs);
  }

  remove(job: Job): void {
    this.#fresh.delete(job);
    this.#begun.delete(job);
  }

  *#inTurn(): Generator<Job> {
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
