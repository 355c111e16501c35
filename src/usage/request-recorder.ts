import { LRUCache } from 'lru-cache';
import { newId } from '../lib/ids.ts';
import { latencyClassOf, noLatency } from './latency.ts';
import type { HourlyUsage, RequestEntry, RequestLogStore } from './request-log.ts';

type Mutable<R> = { -readonly [Field in keyof R]: R[Field] };
type NewEntry = Omit<RequestEntry, 'entryId'>;
type Line = Pick<NewEntry, 'orgId' | 'at' | 'keyId' | 'model' | 'outcome' | 'error' | 'texts' | 'tokens'>;

interface Options {
  /** Whether to keep an entry for each request. The usage by hour is recorded in any case. */
  readonly isOn: boolean;
  /** Reports whether entries may be stored now. */
  readonly hasRoom: () => Promise<boolean>;
  /** Called once per outage of the store. */
  readonly onError: (reason: unknown) => void;
}

/** More would make each collection of young objects, in which they survive, take longer. */
const maxEntries = 2_000;
const maxHours = 10_000;
const entriesPerFlush = 1_000;
const sampledPerFlush = 125;
/** A quota decision on SQLite may have to wait while a batch is written. */
const rowsPerBatch = 250;
const maxOrganizations = 100_000;
const hourMs = 3_600_000;

/**
 * Gathers the request log and the usage by hour, and writes them in batches. No request waits for it: what finds no
 * room is dropped and counted.
 */
export class RequestRecorder {
  readonly #store: Pick<RequestLogStore, 'write'>;
  readonly #options: Options;
  readonly #writerId = newId();
  #lastNumber = 0;
  readonly #entries: NewEntry[] = [];
  /**
   * By the sender, because a text of all fields would take longer to make than the few rows of one sender to search.
   */
  readonly #hours = new Map<string, Mutable<HourlyUsage>[]>();
  #hourCount = 0;
  /** Requests since the last flush of a part. */
  #arrived = 0;
  /** How many entries may wait. */
  #room = maxEntries;
  /** A batch whose outcome is unknown is kept unchanged and sent again under its number. */
  readonly #batches: { number: number; entries: readonly NewEntry[]; hours: readonly HourlyUsage[] }[] = [];
  /** How many entries each organization has got since `takeCrowded` returned it. */
  readonly #written = new LRUCache<string, number>({ max: maxOrganizations });
  #writing: Promise<void> = Promise.resolve();
  #isReported = false;
  #dropped = 0;

  constructor(store: Pick<RequestLogStore, 'write'>, options: Options) {
    this.#store = store;
    this.#options = options;
  }

  /** How many requests are missing in the log or in the usage by hour. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds a line of a batch to the usage by hour. The log has no lines. */
  recordLine(line: Line): void {
    if (!this.#count(line, noLatency)) this.#dropped += 1;
  }

  record(entry: NewEntry): void {
    this.#arrived += 1;
    const isCounted = this.#count(entry, latencyClassOf(entry.latencyMs));
    const { isOn } = this.#options;
    const isFull = isOn && this.#entries.length >= this.#room;
    if (isOn && !isFull) this.#entries.push(entry);
    if (isCounted && !isFull) return;
    this.#dropped += 1;
    if (!this.#isReported) this.#report(new Error('Too many requests at once: some are not logged'));
  }

  /**
   * Writes a part of what was recorded, so that requests have the machine. While more come than it can write, the log
   * is a sample: what waits is as new as possible, because people follow the last seconds.
   */
  flushSome(): Promise<void> {
    const isFlood = this.#arrived > entriesPerFlush && this.#entries.length >= this.#room;
    this.#arrived = 0;
    this.#room = isFlood ? sampledPerFlush : maxEntries;
    this.#dropped += this.#entries.splice(0, this.#entries.length - this.#room).length;
    return this.flush(entriesPerFlush);
  }

  /** Writes what was recorded before the call, or the first `most` entries of it. Never rejects. */
  flush(most = maxEntries): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      try {
        if (!(await this.#options.hasRoom())) this.#dropped += this.#entries.splice(0).length;
        await this.#write();
        this.#take(most);
        await this.#write();
        this.#isReported = this.#room < maxEntries;
      } catch (reason) {
        if (!this.#isReported) this.#report(reason);
      }
    });
    return this.#writing;
  }

  /** Returns the organizations that have got `entries` or more since they were returned last. */
  takeCrowded(entries: number): string[] {
    const crowded = [...this.#written].filter(([, count]) => count >= entries).map(([orgId]) => orgId);
    for (const orgId of crowded) this.#written.delete(orgId);
    return crowded;
  }

  #count(entry: Line & { readonly userId?: string | null }, latencyClass: number): boolean {
    const { orgId, keyId, userId, model, outcome, error } = entry;
    const hour = Math.floor(entry.at / hourMs);
    const sender = keyId ?? userId ?? '';
    const rows = this.#hours.get(sender) ?? [];
    if (rows.length === 0) this.#hours.set(sender, rows);
    let usage = rows.find(
      (row) =>
        row.latencyClass === latencyClass &&
        row.outcome === outcome &&
        row.hour === hour &&
        row.model === model &&
        row.error === error &&
        row.orgId === orgId,
    );
    if (!usage) {
      if (this.#hourCount >= maxHours) return false;
      this.#hourCount += 1;
      const figures = { requests: 0, texts: 0, tokens: 0 };
      usage = { orgId, hour, keyId: sender, model, outcome, error, latencyClass, ...figures };
      rows.push(usage);
    }
    usage.requests += 1;
    // As in the usage by day: texts of a request without a result are not usage.
    if (error === '') usage.texts += entry.texts;
    usage.tokens += entry.tokens;
    return true;
  }

  /** Divides what was recorded into batches. */
  #take(most: number): void {
    const entries = this.#entries.splice(0, most);
    const hours = [...this.#hours.values()].flat();
    this.#hours.clear();
    this.#hourCount = 0;
    for (let from = 0; from < Math.max(entries.length, hours.length); from += rowsPerBatch) {
      const to = from + rowsPerBatch;
      this.#lastNumber += 1;
      const some = { entries: entries.slice(from, to), hours: hours.slice(from, to) };
      this.#batches.push({ number: this.#lastNumber, ...some });
    }
  }

  async #write(): Promise<void> {
    for (let batch = this.#batches[0]; batch; batch = this.#batches[0]) {
      await this.#store.write({
        writerId: this.#writerId,
        number: batch.number,
        entries: JSON.stringify(batch.entries),
        hours: JSON.stringify(batch.hours),
      });
      for (const { orgId } of batch.entries) this.#written.set(orgId, (this.#written.get(orgId) ?? 0) + 1);
      this.#batches.shift();
    }
  }

  #report(reason: unknown): void {
    this.#isReported = true;
    this.#options.onError(reason);
  }
}
