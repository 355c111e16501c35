import type { Kysely } from 'kysely';
import type { Alert } from '../../src/alerts/alert.ts';
import type { Channel } from '../../src/alerts/channel.ts';
import type { Delivery } from '../../src/alerts/deliveries.ts';
import type { Batch } from '../../src/batches/batch.ts';
import type { Database } from '../../src/database/schema.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { allRows } from '../../src/lib/page.ts';
import type { Organization } from '../../src/organizations/organization.ts';
import type { DeletionProgress } from '../../src/organizations/stored-deletions.ts';
import type { Limit } from '../../src/quota/limit.ts';
import type { Stores } from '../../src/service/stores.ts';
import {
  type DailyUsage,
  type RecordedRequest,
  UsageRecorder,
  type UsageSink,
} from '../../src/usage/recorder.ts';
import { entriesText, type HourlyUsage, type RequestEntry } from '../../src/usage/request-log.ts';
import type { NewUserRecord } from '../../src/users/user.ts';

/** Returns the tables, with the columns' names of the schema. */
export async function tablesOf(stores: Stores): Promise<Kysely<Database>> {
  const { columnNames } = await import('../../src/database/sql.ts');
  const { db } = await stores.authDatabase();
  return (db as Kysely<Database>).withPlugin(columnNames);
}

/** Returns an organization's alerts, newest first. */
export function alertsOf({ alerts }: Stores, orgId: string): Promise<Alert[]> {
  return allRows((query) => alerts.list(orgId, query));
}

/** Returns an organization's channels, oldest first. */
export function channelsOf({ channels }: Stores, orgId: string): Promise<Channel[]> {
  return allRows((query) => channels.list(orgId, query));
}

/** Returns an organization's deliveries, newest first; with `targetId`, only those to this channel. */
export function deliveriesOf({ deliveries }: Stores, orgId: string, targetId?: string): Promise<Delivery[]> {
  return allRows((query) => deliveries.list(orgId, { ...query, targetId }));
}

/**
 * Deletes everything that deleted organizations have left, as the service does after a deletion. Returns the
 * number of steps.
 */
export async function finishDeletions({ deletions }: Pick<Stores, 'deletions'>): Promise<number> {
  let steps = 0;
  for (const orgId of await deletions.list(1_000_000)) {
    let progress: DeletionProgress | null = null;
    do {
      progress = await deletions.step(orgId, progress);
      steps += 1;
    } while (progress);
    await deletions.finish(orgId);
  }
  return steps;
}

interface Rows {
  readonly days?: readonly DailyUsage[];
  readonly hours?: readonly HourlyUsage[];
  readonly entries?: readonly Omit<RequestEntry, 'entryId'>[];
}

/** A batch as the recorder sends it. Without a writer, it is of one that sends nothing else. */
export function batchOf({ days = [], hours = [], entries = [] }: Rows, writerId = newId(), number = 1) {
  const text = JSON.stringify;
  return { writerId, number, days: text(days), hours: text(hours), entries: entriesText(entries) };
}

/** Adds usage of days as a process does that writes nothing else. */
export function addUsage(sink: UsageSink, days: readonly DailyUsage[]): Promise<void> {
  return sink.add(batchOf({ days }));
}

/** Usage of a key on a day. What is not given is zero. */
export const usageOf = (given: Pick<DailyUsage, 'orgId' | 'keyId' | 'day'> & Partial<DailyUsage>) => {
  const figures = { cached: 0, failed: 0, texts: 0, tokens: 0, truncated: 0 };
  return { model: 'test-model', ...figures, lastUsedAt: 1, ...given };
};

/** A recorder of a process whose disk has room. */
export function recorderOf(sink: UsageSink, onError: (reason: unknown) => void): UsageRecorder {
  return new UsageRecorder(sink, { isOn: true, hasRoom: async () => true, onError });
}

/** A line of a batch that was refused, apart from the given fields. */
export const lineOf = (given: Partial<RecordedRequest>): RecordedRequest => ({
  orgId: 'org',
  at: systemClock.now(),
  keyId: 'key',
  userId: null,
  model: 'test-model',
  outcome: 'refused',
  error: 'invalid_request',
  texts: 0,
  countedTexts: 0,
  tokens: 0,
  countedTokens: 0,
  cost: 0,
  truncated: 0,
  ...given,
});

/** An organization as the store keeps it. */
export const organizationRow = (orgId: string): Organization => ({
  orgId,
  name: 'Acme',
  tier: 'free',
  custom: null,
  externalId: null,
  suspended: null,
  createdAt: 1,
  revision: 1,
});

/** Returns a user who never signs in, because a password takes long to hash. */
export function userRow(userId: string): NewUserRecord {
  return {
    userId,
    email: `${userId}@example.com`,
    emailVerified: false,
    name: 'User',
    isAdmin: false,
    passwordDigest: 'none',
    createdAt: 0,
  };
}

/** A webhook at an address of its own. */
export function channelRow(given: Pick<Channel, 'orgId'> & Partial<Channel>): Channel {
  const targetId = newId();
  return {
    targetId,
    kind: 'webhook',
    name: null,
    address: `https://example.com/${targetId}`,
    sealedSecret: 'sealed',
    createdBy: 'user_1',
    createdAt: 1,
    confirmedAt: 1,
    ...given,
  };
}

/** Adds a channel as a row, however many its organization has. */
export async function insertChannel(
  stores: Stores,
  given: Parameters<typeof channelRow>[0],
): Promise<Channel> {
  const row = channelRow(given);
  await (await tablesOf(stores)).insertInto('notification_targets').values(row).execute();
  return row;
}

/** Returns what an organization's files and batches count for. */
export async function heldOf(stores: Stores, orgId: string) {
  const { filesHeldBy } = await import('../../src/files/stored-files.ts');
  return filesHeldBy(await tablesOf(stores), orgId);
}

/** Adds batches as rows, however many their organization has. */
export async function insertBatches(stores: Stores, batches: readonly Batch[]): Promise<void> {
  const { newRow } = await import('../../src/batches/stored-batches.ts');
  const db = await tablesOf(stores);
  for (let from = 0; from < batches.length; from += 200)
    await db
      .insertInto('batches')
      .values(batches.slice(from, from + 200).map(newRow))
      .execute();
}

type LimitRow = Pick<Limit, 'orgId' | 'limitId' | 'unit' | 'window' | 'amount' | 'createdAt'> &
  Partial<Limit>;

/** Adds a limit as a row, also of a key or a person that does not exist, unless its scope has such a one. */
export async function insertLimit(stores: Stores, { window, ...limit }: LimitRow): Promise<void> {
  const scope = {
    keyId: null,
    userId: null,
    appliesTo: 'requests',
    maxWaitMs: null,
    setBy: 'operator',
  } as const;
  const row = { ...scope, ...limit, windowKind: window, windowStart: 0, used: 0 };
  const insertion = (await tablesOf(stores)).insertInto('limits').values(row);
  await insertion.onConflict((conflict) => conflict.doNothing()).execute();
}
