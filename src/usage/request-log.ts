import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { PagedList } from '../lib/paged-list.ts';
import type { Period } from './period.ts';
import type { Senders } from './reports.ts';

/**
 * How a request ended. `counted` and `cached`: with a result. `refused`: with a status below 500. `failed`: with
 * another.
 */
export const outcomes = ['counted', 'cached', 'refused', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** What is known of one request afterwards. It has no text, vector or address. */
export interface RequestEntry {
  readonly orgId: string;
  /** When the response was sent, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly entryId: string;
  /** As in the response's `X-Request-Id`, which a client can choose. */
  readonly requestId: string;
  /** Null: a person sent it with a session. */
  readonly keyId: string | null;
  readonly userId: string | null;
  /** Empty if the request failed before it named a served model. */
  readonly model: string;
  readonly status: number;
  /** The error's code, or empty. */
  readonly error: string;
  readonly outcome: Outcome;
  readonly texts: number;
  readonly tokens: number;
  readonly latencyMs: number;
  readonly queueMs: number;
  /** The limit that refused the request. */
  readonly limitId: string | null;
  /** The name of the field that was not valid. */
  readonly param: string | null;
}

/**
 * Returns the numbers by which entries are found, of at most 48 bits: an index of the ids themselves takes five times the
 * room. All entries with a request's id share the upper half. The lower one depends on the organization too, so that none
 * can choose ids that slow the lookups of another. With an organization, both numbers are the same.
 */
export function lookupNumbers(orgId: string | null, requestId: string): [first: number, last: number] {
  // A second digest would be a third of the time that recording a request takes.
  const first = (crc32(requestId) % 2 ** 24) * 2 ** 24;
  if (orgId === null) return [first, first + 2 ** 24 - 1];
  const one = first + hash('sha256', `${orgId} ${requestId}`, 'buffer').readUIntBE(0, 3);
  return [one, one];
}

/** Returns entries in the form in which a `UsageSink` takes them. */
export const entriesText = (entries: readonly Omit<RequestEntry, 'entryId'>[]): string =>
  JSON.stringify(
    entries.map((entry) => ({ ...entry, lookup: lookupNumbers(entry.orgId, entry.requestId)[0] })),
  );

/** An entry as it is read. */
export interface NamedEntry extends RequestEntry {
  /** Null: a person sent it, or the key doesn't exist. */
  readonly keyName: string | null;
  /** Null: the organization is being deleted. */
  readonly orgName: string | null;
}

/** Requests of one hour, key, model, outcome and class of latency. */
export interface HourlyUsage {
  readonly orgId: string;
  /** Hours since the Unix epoch. */
  readonly hour: number;
  /** A key or, with a session, a user. */
  readonly keyId: string;
  readonly model: string;
  readonly outcome: Outcome;
  readonly error: string;
  readonly latencyClass: number;
  readonly requests: number;
  readonly texts: number;
  readonly countedTexts: number;
  readonly tokens: number;
  readonly countedTokens: number;
  readonly truncated: number;
  readonly cost: number;
}

/** Which entries to read. Undefined: any. */
export interface RequestFilter {
  readonly outcome?: Outcome | undefined;
  readonly keyId?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: number | undefined;
  readonly minLatencyMs?: number | undefined;
  /** Inclusive, in milliseconds since the Unix epoch. */
  readonly fromMs?: number | undefined;
  /** Exclusive. */
  readonly toMs?: number | undefined;
  readonly requestId?: string | undefined;
  /** A user: requests with their keys, and those that they sent with a session unless only keys are asked for. */
  readonly userId?: string | undefined;
  readonly isOfKeys?: boolean | undefined;
}

export const requestList = new PagedList('requests', {
  orders: { at: 'number' },
  defaultSort: '-at',
  idKind: 'number',
});

/** Requests of one outcome in a part of a histogram. */
export interface HistogramPart {
  readonly bucket: number;
  readonly outcome: Outcome;
  readonly requests: number;
}

/** What usage a report by hour, key or model asks for. */
export interface HoursQuestion {
  readonly firstHour: number;
  readonly endHour: number;
  readonly keyIds: Senders;
  /** How many hours each place of the series has: 1 or 24. */
  readonly hoursPerPlace: number;
}

/** Figures that `usage_hours` has. `failed` includes the refused requests, as in `UsageTotals`. */
export interface HourlyTotals {
  readonly counted: number;
  readonly cached: number;
  readonly failed: number;
  readonly texts: number;
  readonly countedTexts: number;
  readonly tokens: number;
  readonly countedTokens: number;
  readonly cost: number;
}

export interface HourlyReport {
  /** By place: the hour or, with 24 hours per place, the day since the Unix epoch. Omits places without requests. */
  readonly series: readonly (HourlyTotals & { readonly place: number })[];
  /** Requests with a result, by place and class of latency. */
  readonly latencies: readonly {
    readonly place: number;
    readonly latencyClass: number;
    readonly requests: number;
  }[];
  /** Most requests first. */
  readonly errors: readonly { readonly error: string; readonly requests: number }[];
}

export const groupings = ['key', 'user', 'model'] as const;
export type Grouping = (typeof groupings)[number];

export interface GroupQuestion extends Period {
  readonly by: Grouping;
  readonly keyIds: Senders;
  /** Whether the places are hours. Otherwise they are days. */
  readonly isHourly: boolean;
}

/**
 * The usage of one group at one place of a series. Null: all groups that are not among those with the most requests.
 */
export type GroupTotals = HourlyTotals & { readonly name: string | null; readonly place: number };

export interface OldRows {
  readonly beforeMs: number;
  /** Later entries are from a clock that was ahead. */
  readonly afterMs: number;
  readonly beforeHour: number;
  /** How many of the newest entries of all organizations together to keep. */
  readonly maxRows: number;
}

/** How many days the usage by hour is kept. */
export const hourlyUsageDays = 35;
