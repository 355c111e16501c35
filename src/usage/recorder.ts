import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { dayOf } from '../quota/window.ts';

/** Usage of one key and model on one day, apart from the count that the ledger keeps. */
export interface UsageDelta {
  readonly orgId: string;
  readonly keyId: string;
  /** Empty for requests that failed before they named a model that is served. */
  readonly model: string;
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly cached: number;
  readonly failed: number;
  readonly texts: number;
  readonly tokens: number;
  readonly truncated: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastUsedAt: number;
}

/** Deltas that are added atomically, and only once even if the batch is sent again. */
export interface UsageBatch {
  readonly writerId: string;
  /** Higher than the number of every earlier batch of the same writer. */
  readonly number: number;
  readonly deltas: readonly UsageDelta[];
}

export interface UsageSink {
  /**
   * Adds the deltas to the stored usage; `lastUsedAt` only moves forward. Ignores a batch if the same writer has
   * written it or a later one before, and skips the deltas of organizations that don't exist.
   */
  add(batch: UsageBatch): Promise<void>;
  /** Deletes some writers that have written nothing since `writtenBeforeMs`. Returns whether there may be more. */
  pruneWriters(writtenBeforeMs: number): Promise<boolean>;
}

type Key = { readonly orgId: string; readonly keyId: string; readonly model: string };
type Pending = { -readonly [Field in keyof UsageDelta]: UsageDelta[Field] };

/**
 * Maximum number of records by key and day to keep while the store is unavailable. Further ones are dropped, and their
 * number is logged with the next write.
 */
const maxPending = 50_000;
/** Bounds a transaction. A batch of 50,000 would exceed the database's deadline on every try and never be written. */
const maxPerBatch = 500;

/** Gathers usage that need not be durable with each request until it is flushed. */
export class UsageRecorder {
  readonly #sink: UsageSink;
  readonly #clock: Clock;
  readonly #onError: (reason: unknown) => void;
  readonly #writerId = newId();
  #lastNumber = 0;
  #pending = new Map<string, Pending>();
  /**
   * Batches to write, oldest first. A batch whose outcome is unknown is kept unchanged and sent again under its number.
   */
  #batches: UsageBatch[] = [];
  #queued = 0;
  /** Requests that were not recorded since the last report. */
  #dropped = 0;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(sink: UsageSink, clock: Clock, onError: (reason: unknown) => void) {
    this.#sink = sink;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Number of records by key and day that wait to be written. */
  get waiting(): number {
    return this.#pending.size + this.#queued;
  }

  /**
   * Records a request that was answered. `cached` means that nothing was computed, so the request did not count against
   * the quota.
   */
  embedded(
    key: Key,
    answer: {
      cached: boolean;
      embeddings: readonly unknown[];
      promptTokens: number;
      truncated: readonly number[];
    },
  ): void {
    const pending = this.#pendingOf(key);
    if (!pending) return;
    if (answer.cached) pending.cached += 1;
    pending.texts += answer.embeddings.length;
    pending.tokens += answer.promptTokens;
    pending.truncated += answer.truncated.length;
  }

  /** Records a request that was refused or failed. */
  failed(key: Key): void {
    const pending = this.#pendingOf(key);
    if (pending) pending.failed += 1;
  }

  /**
   * Resolves when all usage recorded before the call is written or could not be. Never rejects: usage that could not be
   * written waits for the next flush. Calls that arrive during a write share the following one.
   */
  flush(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  async #write(): Promise<void> {
    if (this.#dropped > 0) {
      const message = `More than ${maxPending} usage records wait for the store: ${this.#dropped} requests are not recorded`;
      this.#dropped = 0;
      this.#onError(new Error(message));
    }
    try {
      // Send the earlier batches first. While the store is unavailable, new records keep gathering by key and day.
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

  #pendingOf({ orgId, keyId, model }: Key): Pending | undefined {
    const nowMs = this.#clock.now();
    const day = dayOf(nowMs);
    const id = `${orgId} ${keyId} ${day} ${model}`;
    let pending = this.#pending.get(id);
    if (!pending) {
      if (this.waiting >= maxPending) {
        this.#dropped += 1;
        return undefined;
      }
      const figures = { cached: 0, failed: 0, texts: 0, tokens: 0, truncated: 0 };
      pending = { orgId, keyId, model, day, lastUsedAt: nowMs, ...figures };
      this.#pending.set(id, pending);
    }
    pending.lastUsedAt = Math.max(pending.lastUsedAt, nowMs);
    return pending;
  }
}
