import { newId } from '../lib/ids.ts';
import { recentEntries } from '../lib/recent.ts';
import { dayOf } from '../quota/window.ts';
import { latencyClassOf, noLatency } from './latency.ts';
import type { UsageRow } from './reports.ts';
import { entriesText, type HourlyUsage, type RequestEntry } from './request-log.ts';

/** Usage of one key and model on one day, apart from what the ledger counts. */
export interface DailyUsage extends Omit<UsageRow, 'counted' | 'countedTexts' | 'countedTokens' | 'cost'> {
  readonly orgId: string;
  /** Milliseconds since the Unix epoch. */
  readonly lastUsedAt: number;
}

/** What is added in one transaction, and only once even if the batch is sent again. */
export interface UsageBatch {
  readonly writerId: string;
  /** Higher than the number of every earlier batch of the same writer. */
  readonly number: number;
  /** `DailyUsage[]` as JSON, like the others: one parameter, however many rows. No two have the same key. */
  readonly days: string;
  /** `HourlyUsage[]`. No two have the same key. */
  readonly hours: string;
  /** See `entriesText`. */
  readonly entries: string;
}

export interface UsageSink {
  /**
   * Adds the figures to the stored ones, and the entries to the log; `lastUsedAt` only moves forward. Ignores a batch if
   * the same writer has written it or a later one before, and skips the rows of organizations that don't exist.
   */
  add(batch: UsageBatch): Promise<void>;
}

type Mutable<R> = { -readonly [Field in keyof R]: R[Field] };
type NewEntry = Omit<RequestEntry, 'entryId'> &
  Pick<HourlyUsage, 'countedTexts' | 'countedTokens' | 'truncated' | 'cost'>;
export type RecordedRequest = Omit<
  NewEntry,
  'requestId' | 'status' | 'latencyMs' | 'queueMs' | 'limitId' | 'param'
>;

/** What was recorded since the last batch, for example of a key or a user. */
interface Usage {
  readonly days: Mutable<DailyUsage>[];
  readonly hours: Mutable<HourlyUsage>[];
}

interface Options {
  /** Whether to keep an entry for each request. Its usage is recorded in any case. */
  readonly isOn: boolean;
  /** Reports whether entries may be stored now. */
  readonly hasRoom: () => Promise<boolean>;
  /** Called once per outage of the store. */
  readonly onError: (reason: unknown) => void;
}

const maxDays = 50_000;
const maxHours = 10_000;
/** More would make each collection of young objects, in which they survive, take longer. */
const maxEntries = 2_000;
const entriesPerFlush = 1_000;
const sampledPerFlush = 125;
/** Days, hours and entries of a batch. A quota decision on SQLite may have to wait while a batch is written. */
const rowsPerBatch = 250;
const maxOrganizations = 100_000;
const hourMs = 3_600_000;

/**
 * Gathers the usage by day and by hour and the request log, and writes them in batches. No request waits for it: what
 * finds no room is dropped and counted.
 */
export class UsageRecorder {
  readonly #sink: UsageSink;
  readonly #options: Options;
  readonly #writerId = newId();
  #lastNumber = 0;
  readonly #entries: NewEntry[] = [];
  /**
   * By the sender, because a text of all fields would take longer to make than the few rows of one sender to search.
   */
  readonly #senders = new Map<string, Usage>();
  #hourCount = 0;
  /** Requests since the last flush of a part. */
  #arrived = 0;
  /** How many entries may wait. */
  #room = maxEntries;
  /**
   * Batches to write, oldest first. A batch whose outcome is unknown is kept unchanged and sent again under its number.
   */
  readonly #batches: (Usage & { readonly number: number; readonly entries: NewEntry[] })[] = [];
  /** How many entries each organization has got since its log was pruned. */
  readonly #written = recentEntries<number>(maxOrganizations);
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** How many entries the next write may take. */
  #most = 0;
  #isReported = false;
  #waiting = 0;
  #dropped = 0;

  constructor(sink: UsageSink, options: Options) {
    this.#sink = sink;
    this.#options = options;
  }

  /** Number of records by key and day that wait to be written. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many requests are missing in the log or in the usage. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds what has no entry in the log to the usage: a line of a batch, or a request whose client has disconnected. */
  recordLine(line: RecordedRequest): void {
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
    if (!this.#isReported) this.#report(new Error('Too many requests at once: some are not recorded'));
  }

  /**
   * Writes a part of the log, so that requests have the machine, and all usage. While more requests come than it can
   * write, the log is a sample: what waits is as new as possible, because people follow the last seconds.
   */
  flushSome(): Promise<void> {
    const isFlood = this.#arrived > entriesPerFlush && this.#entries.length >= this.#room;
    this.#arrived = 0;
    this.#room = isFlood ? sampledPerFlush : maxEntries;
    this.#dropped += this.#entries.splice(0, this.#entries.length - this.#room).length;
    return this.flush(entriesPerFlush);
  }

  /**
   * Resolves when all that was recorded before the call, or the first `most` entries of it, is written or could not be.
   * Never rejects: what could not be written waits for the next flush. Calls that arrive during a write share the
   * following one.
   */
  flush(most = maxEntries): Promise<void> {
    this.#most = Math.max(this.#most, most);
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  /** Returns the organizations that have got `entries` or more since their logs were pruned. */
  crowded(entries: number): string[] {
    return [...this.#written].filter(([, count]) => count >= entries).map(([orgId]) => orgId);
  }

  pruned(orgId: string): void {
    this.#written.delete(orgId);
  }

  async #write(): Promise<void> {
    const most = this.#most;
    this.#most = 0;
    try {
      if (!(await this.#options.hasRoom())) this.#dropped += this.#entries.splice(0).length;
      // Sends the earlier batches first. While the store is unavailable, new usage keeps gathering in the same rows.
      await this.#send();
      this.#take(most);
      await this.#send();
      this.#isReported = this.#room < maxEntries;
    } catch (reason) {
      if (!this.#isReported) this.#report(reason);
    }
  }

  /** Adds to the usage by day and by hour. Returns whether both have room. */
  #count(line: RecordedRequest, latencyClass: number): boolean {
    const keyId = line.keyId ?? line.userId ?? '';
    const sender = this.#senders.get(keyId) ?? { days: [], hours: [] };
    // A request with a revoked or expired key is refused, so it is not usage of that key.
    const isInDay = line.error === 'invalid_api_key' || this.#addToDay(sender.days, keyId, line);
    const isInHour = this.#addToHour(sender.hours, keyId, line, latencyClass);
    if (isInDay || isInHour) this.#senders.set(keyId, sender);
    return isInDay && isInHour;
  }

  #addToDay(rows: Usage['days'], keyId: string, { orgId, model, at, ...line }: RecordedRequest): boolean {
    const day = dayOf(at);
    let usage = rows.find((row) => row.day === day && row.model === model && row.orgId === orgId);
    if (!usage) {
      if (this.#waiting >= maxDays) return false;
      this.#waiting += 1;
      const figures = { cached: 0, failed: 0, texts: 0, tokens: 0, truncated: 0 };
      usage = { orgId, keyId, model, day, lastUsedAt: at, ...figures };
      rows.push(usage);
    }
    if (line.outcome === 'cached') usage.cached += 1;
    if (line.error !== '') usage.failed += 1;
    else usage.texts += line.texts;
    usage.tokens += line.tokens;
    usage.truncated += line.truncated;
    usage.lastUsedAt = Math.max(usage.lastUsedAt, at);
    return true;
  }

  #addToHour(rows: Usage['hours'], keyId: string, line: RecordedRequest, latencyClass: number): boolean {
    const { orgId, model, outcome, error } = line;
    const hour = Math.floor(line.at / hourMs);
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
      const counted = { countedTexts: 0, countedTokens: 0, cost: 0 };
      const figures = { requests: 0, texts: 0, tokens: 0, truncated: 0, ...counted };
      usage = { orgId, hour, keyId, model, outcome, error, latencyClass, ...figures };
      rows.push(usage);
    }
    usage.requests += 1;
    // Texts of a request without a result are not usage.
    if (error === '') usage.texts += line.texts;
    usage.countedTexts += line.countedTexts;
    usage.tokens += line.tokens;
    usage.countedTokens += line.countedTokens;
    usage.truncated += line.truncated;
    usage.cost += line.cost;
    return true;
  }

  /** Divides what was recorded into batches. */
  #take(most: number): void {
    const senders = [...this.#senders.values()];
    const days = senders.flatMap((sender) => sender.days);
    const hours = senders.flatMap((sender) => sender.hours);
    const entries = this.#entries.splice(0, most);
    this.#senders.clear();
    this.#hourCount = 0;
    for (let from = 0; from < Math.max(days.length, hours.length, entries.length); from += rowsPerBatch) {
      const some = <R>(rows: readonly R[]): R[] => rows.slice(from, from + rowsPerBatch);
      this.#lastNumber += 1;
      const number = this.#lastNumber;
      this.#batches.push({ number, days: some(days), hours: some(hours), entries: some(entries) });
    }
  }

  async #send(): Promise<void> {
    for (let batch = this.#batches[0]; batch; batch = this.#batches[0]) {
      await this.#sink.add({
        writerId: this.#writerId,
        number: batch.number,
        days: JSON.stringify(batch.days),
        hours: JSON.stringify(batch.hours),
        entries: entriesText(batch.entries),
      });
      for (const { orgId } of batch.entries) this.#written.set(orgId, (this.#written.get(orgId) ?? 0) + 1);
      this.#batches.shift();
      this.#waiting -= batch.days.length;
    }
  }

  #report(reason: unknown): void {
    this.#isReported = true;
    this.#options.onError(reason);
  }
}
