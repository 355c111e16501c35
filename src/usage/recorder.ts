import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { dayOf } from '../quota/window.ts';

/** What happened under one key on one day, beside what the ledger counts. */
export interface UsageDelta {
  readonly orgId: string;
  readonly keyId: string;
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly cached: number;
  readonly failed: number;
  readonly texts: number;
  readonly tokens: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastUsedAt: number;
}

/** Deltas that are added together, and once, however often the batch is sent. */
export interface UsageBatch {
  readonly writerId: string;
  /** Higher than that of every batch which the writer has sent before. */
  readonly number: number;
  readonly deltas: readonly UsageDelta[];
}

export interface UsageSink {
  /**
   * Adds to what is stored; `lastUsedAt` only moves forward. Does nothing for a batch whose writer has written this one or a later one before, and
   * leaves out the deltas of organizations that don't exist.
   */
  add(batch: UsageBatch): Promise<void>;
  /** Forgets writers that have written nothing since, at most `limit` of them. */
  pruneWriters(writtenBeforeMs: number, limit: number): Promise<void>;
}

type Key = { readonly orgId: string; readonly keyId: string };
type Pending = { -readonly [Field in keyof UsageDelta]: UsageDelta[Field] };

const intervalMs = 1_000;
/** While the store is away, deltas of at most this many keys and days are kept; further ones are dropped, which is logged. */
const maxPending = 50_000;
/** Bounds a transaction: 50,000 in one would exceed the database's deadline each time, and never be written. */
const maxPerBatch = 500;

/** Gathers what needs no durability per request, and writes it each second and at close. */
export class UsageRecorder {
  readonly #sink: UsageSink;
  readonly #clock: Clock;
  readonly #onError: (reason: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #writerId = newId();
  #lastNumber = 0;
  #pending = new Map<string, Pending>();
  /** Batches to be written, the oldest first. One whose outcome is unknown stays as it is, and is sent again under its number. */
  #batches: UsageBatch[] = [];
  #queued = 0;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(sink: UsageSink, clock: Clock, onError: (reason: unknown) => void) {
    this.#sink = sink;
    this.#clock = clock;
    this.#onError = onError;
    this.#timer = setInterval(() => this.flush(), intervalMs).unref();
  }

  /** Records by key and day that wait to be written. */
  get waiting(): number {
    return this.#pending.size + this.#queued;
  }

  /** A request was answered; `cached`: without computing, and so without being counted. */
  embedded(
    key: Key,
    answer: { cached: boolean; embeddings: readonly unknown[]; promptTokens: number },
  ): void {
    const pending = this.#pendingOf(key);
    if (!pending) return;
    if (answer.cached) pending.cached += 1;
    pending.texts += answer.embeddings.length;
    pending.tokens += answer.promptTokens;
  }

  /** A request was refused or failed. */
  failed(key: Key): void {
    const pending = this.#pendingOf(key);
    if (pending) pending.failed += 1;
  }

  /**
   * Resolves when all that was recorded before the call is written, or could not be. Never rejects: what could not be written stays for the next
   * time. Calls that arrive during a write share the one after it.
   */
  flush(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    try {
      // What was sent before goes first; while the store is away, new records gather by key and day meanwhile.
      await this.#send();
      this.#take();
      await this.#send();
    } catch (reason) {
      this.#onError(reason);
    }
  }

  async #send(): Promise<void> {
    for (let batch = this.#batches[0]; batch; batch = this.#batches[0]) {
      await this.#sink.add(batch);
      this.#batches.shift();
      this.#queued -= batch.deltas.length;
    }
  }

  #take(): void {
    const deltas = [...this.#pending.values()];
    this.#pending = new Map();
    this.#queued = deltas.length;
    for (let from = 0; from < deltas.length; from += maxPerBatch) {
      this.#lastNumber += 1;
      this.#batches.push({
        writerId: this.#writerId,
        number: this.#lastNumber,
        deltas: deltas.slice(from, from + maxPerBatch),
      });
    }
  }

  #pendingOf({ orgId, keyId }: Key): Pending | undefined {
    const nowMs = this.#clock.now();
    const day = dayOf(nowMs);
    const id = `${orgId} ${keyId} ${day}`;
    let pending = this.#pending.get(id);
    if (!pending) {
      if (this.waiting >= maxPending) {
        this.#onError(new Error(`more than ${maxPending} usage records wait for the store; one was dropped`));
        return undefined;
      }
      pending = { orgId, keyId, day, cached: 0, failed: 0, texts: 0, tokens: 0, lastUsedAt: nowMs };
      this.#pending.set(id, pending);
    }
    pending.lastUsedAt = Math.max(pending.lastUsedAt, nowMs);
    return pending;
  }
}
