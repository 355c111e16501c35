import { setTimeout } from 'node:timers/promises';
import { newId } from '../lib/ids.ts';
import { latencyClassOf } from './latency.ts';
import type { HourlyUsage, RequestBatch, RequestEntry, RequestLogStore } from './request-log.ts';

type Mutable<R> = { -readonly [Field in keyof R]: R[Field] };

/** `written`: how many entries each organization has in it. */
interface Batch {
  readonly content: RequestBatch;
  readonly written: ReadonlyMap<string, number>;
}

interface Options {
  /** Whether to keep an entry for each request. The usage by hour is recorded in any case. */
  readonly isOn: boolean;
  /** Called once per outage of the store. */
  readonly onError: (reason: unknown) => void;
  /** Called after entries of an organization were written. */
  readonly onWritten: (orgId: string, entries: number) => void;
}

const maxEntries = 10_000;
/** Leaves room for the others when there are many requests whose texts are all cached. */
const maxEntriesIfCached = 5_000;
const maxHours = 10_000;
/** A quota decision on SQLite may have to wait while a batch is written. */
const rowsPerBatch = 250;
/**
 * A writer that has much to write pauses this many times as long as each batch took, so that requests have the machine.
 * Thousands of requests a second are then too many for the log, which would not keep them for long anyway.
 */
const pausePerBatch = 20;
const hourMs = 3_600_000;

/**
 * Gathers the request log and the usage by hour, and writes them in batches. No request waits for it: what finds no room
 * is dropped and counted.
 */
export class RequestRecorder {
  readonly #store: RequestLogStore;
  readonly #options: Options;
  readonly #writerId = newId();
  #lastNumber = 0;
  readonly #entries: RequestEntry[] = [];
  readonly #hours = new Map<string, Mutable<HourlyUsage>>();
  /** A batch whose outcome is unknown is kept unchanged and sent again under its number. */
  #batch: Batch | undefined;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isReported = false;
  #dropped = 0;

  constructor(store: RequestLogStore, options: Options) {
    this.#store = store;
    this.#options = options;
  }

  /** How many requests are missing in the log or in the usage by hour. */
  get dropped(): number {
    return this.#dropped;
  }

  record(entry: RequestEntry): void {
    const isCounted = this.#count(entry);
    const most = entry.outcome === 'cached' ? maxEntriesIfCached : maxEntries;
    const isFull = this.#options.isOn && this.#entries.length >= most;
    if (this.#options.isOn && !isFull) this.#entries.push(entry);
    if (isCounted && !isFull) return;
    this.#dropped += 1;
    this.#report(() => new Error('Too many entries wait for the store, so further requests are not logged'));
  }

  /** Writes what was recorded before the call. Never rejects. Doesn’t pause once the signal has aborted. */
  flush(signal?: AbortSignal): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#write(signal);
      return this.#writing;
    });
    return this.#next;
  }

  #count({
    orgId,
    at,
    keyId,
    userId,
    model,
    outcome,
    error,
    texts,
    tokens,
    latencyMs,
  }: RequestEntry): boolean {
    const hour = Math.floor(at / hourMs);
    const sender = keyId ?? userId ?? '';
    const latencyClass = latencyClassOf(latencyMs);
    const id = `${orgId} ${sender} ${hour} ${outcome} ${latencyClass} ${error} ${model}`;
    let usage = this.#hours.get(id);
    if (!usage) {
      if (this.#hours.size >= maxHours) return false;
      const figures = { requests: 0, texts: 0, tokens: 0 };
      usage = { orgId, hour, keyId: sender, model, outcome, error, latencyClass, ...figures };
      this.#hours.set(id, usage);
    }
    usage.requests += 1;
    // As in the usage by day: texts of a request without a result are not usage.
    if (error === '') usage.texts += texts;
    usage.tokens += tokens;
    return true;
  }

  async #write(signal: AbortSignal | undefined): Promise<void> {
    try {
      for (this.#batch ??= this.#take(); this.#batch; this.#batch = this.#take()) {
        const beganMs = performance.now();
        await this.#store.write(this.#batch.content);
        for (const [orgId, entries] of this.#batch.written) this.#options.onWritten(orgId, entries);
        const pauseMs = pausePerBatch * (performance.now() - beganMs);
        if (this.#entries.length > 0) await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
      }
      this.#isReported = false;
    } catch (reason) {
      this.#report(() => reason);
    }
  }

  #take(): Batch | undefined {
    if (this.#entries.length === 0 && this.#hours.size === 0) return undefined;
    const entries = this.#entries.splice(0, rowsPerBatch);
    const hours: HourlyUsage[] = [];
    for (const [id, usage] of this.#hours) {
      if (hours.length === rowsPerBatch) break;
      hours.push(usage);
      this.#hours.delete(id);
    }
    this.#lastNumber += 1;
    const written = new Map<string, number>();
    for (const { orgId } of entries) written.set(orgId, (written.get(orgId) ?? 0) + 1);
    const content = {
      writerId: this.#writerId,
      number: this.#lastNumber,
      entries: JSON.stringify(entries),
      hours: JSON.stringify(hours),
    };
    return { content, written };
  }

  #report(reason: () => unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#options.onError(reason());
  }
}
