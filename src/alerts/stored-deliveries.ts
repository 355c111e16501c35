import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { writeEntry } from '../database/audit.ts';
import { deleteSome } from '../database/housekeeping.ts';
import { readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';
import { unlessDeleted } from '../database/transactions.ts';
import { notFound, ServiceError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import {
  type Claim,
  type ClaimBounds,
  type Delivery,
  type DeliveryFilter,
  deliveryList,
  type NewDelivery,
  type Settlement,
} from './deliveries.ts';
import type { Notice, NoticeMessage } from './notice.ts';
import { findChannel, noChannel } from './stored-channels.ts';

/** Maximum number of pending deliveries of an organization: for people, who can try again, and for notices. */
const maxPending = { ofPeople: 50, ofNotices: 1_000 };
const order = { orders: { created: sql.ref('createdAt') }, id: sql.ref('deliveryId') };

/** The organization of a channel. Empty: the installation, which is bounded as an organization is. */
const ownerOf = sql<string>`COALESCE(notification_targets.org_id, '')`;

export type Deliveries = ReturnType<typeof deliveriesIn>;

/** The deliveries to channels. All times are from the database's clock, which the replicas share. */
export const deliveriesIn = (db: Kysely<Database>, time: DatabaseTime) => ({
  /**
   * Queues a delivery that a person asks for. Throws `not_found` if the organization has no such channel, and
   * `rate_limit_exceeded` if too many are pending.
   */
  async enqueue(delivery: NewDelivery): Promise<Delivery> {
    const { orgId, targetId, type } = delivery;
    const queued = db.transaction().execute(async (transaction) => {
      const channel = await findChannel(transaction, targetId);
      if (channel?.orgId !== orgId) throw noChannel();
      if ((await countPending(transaction, orgId, orgId)) >= maxPending.ofPeople)
        throw new ServiceError(
          'rate_limit_exceeded',
          `${maxPending.ofPeople} notices are waiting to be sent. Try again later`,
          { retryAfterSeconds: 60 },
        );
      const row = await transaction
        .insertInto('deliveries')
        .values(newRow(delivery, time()))
        .returningAll()
        .executeTakeFirstOrThrow();
      await writeEntry(transaction, 'channel.send', { after: { ...channel, type } });
      return toDelivery(row);
    });
    return unlessDeleted(queued, noChannel);
  },

  /** Throws `not_found`. */
  async get(orgId: string, deliveryId: string): Promise<Delivery> {
    const row = await db
      .selectFrom('deliveries')
      .selectAll()
      .where((eb) => eb.and({ orgId, deliveryId }))
      .executeTakeFirst();
    if (!row) throw notFound('No such delivery');
    return toDelivery(row);
  },

  /** Returns a page of an organization's deliveries. Throws `invalid_request`. */
  async list(orgId: string, query: PageQuery & DeliveryFilter): Promise<Page<Delivery>> {
    const { deliveryId, targetId = null, status = null } = query;
    let rows = db.selectFrom('deliveries').selectAll().where('orgId', '=', orgId);
    // Those to channels of the installation are the operator's.
    rows = rows.where('targetId', 'in', (eb) =>
      eb
        .selectFrom('notification_targets')
        .select('notification_targets.targetId')
        .where('orgId', '=', orgId),
    );
    if (deliveryId !== undefined) rows = rows.where('deliveryId', '=', deliveryId);
    if (targetId !== null) rows = rows.where('targetId', '=', targetId);
    if (status !== null) rows = rows.where('status', '=', status);
    return readPage(
      db,
      deliveryList.request(query, [orgId, targetId, status]),
      { rows, ...order },
      toDelivery,
    );
  },

  /**
   * Takes deliveries that are due and counts the attempt. No other process gets them for `forMs`. If it fails halfway,
   * returns the deliveries taken so far.
   */
  async claim(forMs: number, { limit, perOrganization, taken }: ClaimBounds): Promise<Claim[]> {
    const nowMs = time();
    const untilMs = sql<number>`${nowMs} + CAST(${forMs} AS BIGINT)`;
    // A claim that ends later was made before the clock was set back.
    const isFree = (eb: ExpressionBuilder<Database, 'deliveries'>) =>
      eb.or([eb('claimedUntil', '<=', nowMs), eb('claimedUntil', '>', untilMs)]);
    const waiting = db
      .selectFrom('deliveries')
      .innerJoin('notification_targets', 'notification_targets.targetId', 'deliveries.targetId')
      .selectAll('notification_targets')
      .select(['deliveryId', 'nextAttemptAt', ownerOf.as('owner')])
      .select(
        sql<number>`ROW_NUMBER() OVER (PARTITION BY notification_targets.org_id ORDER BY next_attempt_at, delivery_id)`.as(
          'place',
        ),
      )
      .where('status', '=', 'pending')
      .where('nextAttemptAt', '<=', nowMs)
      .where(isFree);
    let allowed = db.selectFrom(waiting.as('waiting')).selectAll().where('place', '<=', perOrganization);
    for (const [count, entries] of Map.groupBy(taken, ([, count]) => count)) {
      const owners = entries.map(([orgId]) => orgId ?? '');
      allowed = allowed.where((eb) =>
        eb.or([eb('owner', 'not in', owners), eb('place', '<=', perOrganization - count)]),
      );
    }
    const due = await allowed.orderBy('place').orderBy('nextAttemptAt').limit(limit).execute();
    const claims: Claim[] = [];
    // One at a time, because statements that lock several rows, each in its own order, could deadlock.
    for (const { deliveryId, nextAttemptAt: _at, place: _place, owner: _owner, ...channel } of due) {
      try {
        const row = await db
          .updateTable('deliveries')
          .set((eb) => ({ claimedUntil: untilMs, attempts: eb('attempts', '+', 1) }))
          .where((eb) => eb.and({ deliveryId, status: 'pending' }))
          .where(isFree)
          .returningAll()
          .executeTakeFirst();
        if (row) claims.push({ delivery: toDelivery(row), channel });
      } catch (reason) {
        // The claims so far are committed, and no other process would send these deliveries until they end.
        if (claims.length > 0) return claims;
        throw reason;
      }
    }
    return claims;
  },

  /** Records the outcome of an attempt. Does nothing if another process has taken the delivery since. */
  async settle({ deliveryId, attempts }: Delivery, settlement: Settlement): Promise<void> {
    const nowMs = time();
    await db
      .updateTable('deliveries')
      .set({
        status: settlement.status,
        attempts: settlement.attempts,
        nextAttemptAt: sql<number>`${nowMs} + CAST(${settlement.waitMs} AS BIGINT)`,
        lastAttemptAt: nowMs,
        lastOutcome: settlement.lastOutcome,
        claimedUntil: 0,
      })
      .where((eb) => eb.and({ deliveryId, status: 'pending', attempts }))
      .execute();
  },

  /** Counts the deliveries of all organizations that were created after a time and failed. */
  async countFailed(createdAfterMs: number): Promise<number> {
    const { count } = await db
      .selectFrom('deliveries')
      .select(sql<number>`CAST(COUNT(*) AS INTEGER)`.as('count'))
      .where('status', '=', 'failed')
      .where('createdAt', '>', createdAfterMs)
      .executeTakeFirstOrThrow();
    return count;
  },

  /** Deletes some of the deliveries created before `createdBeforeMs`. Returns whether there may be more. */
  prune: (createdBeforeMs: number): Promise<boolean> =>
    deleteSome(db, 'deliveries', 'deliveryId', sql`created_at < ${createdBeforeMs}`),

  /**
   * Deletes some finished deliveries of an organization that are not among its newest `keep`. Returns whether there may
   * be more.
   */
  async pruneExcess(orgId: string, keep: number): Promise<boolean> {
    const first = await db
      .selectFrom('deliveries')
      .select(['createdAt', 'deliveryId'])
      .where('orgId', '=', orgId)
      .orderBy('createdAt', 'desc')
      .orderBy('deliveryId', 'desc')
      .limit(1)
      .offset(keep)
      .executeTakeFirst();
    if (!first) return false;
    const isBeyond = sql`org_id = ${orgId} AND status <> 'pending'
      AND (created_at, delivery_id) <= (${first.createdAt}, ${first.deliveryId})`;
    return deleteSome(db, 'deliveries', 'deliveryId', isBeyond);
  },
});

/**
 * Queues a message for all channels of an organization and of the installation, except for those of the two whose channels
 * have so many pending that one must be out of order.
 */
export async function notifyAll(
  db: Kysely<Database>,
  orgId: string,
  message: NoticeMessage,
  nowMs: RawBuilder<number>,
): Promise<void> {
  const full: (string | null)[] = [];
  for (const owner of [orgId, null])
    if ((await countPending(db, orgId, owner)) >= maxPending.ofNotices) full.push(owner);
  await enqueueToAll(db, [{ orgId, alertId: null, message }], nowMs, full);
}

/** Counts an organization's deliveries that have not ended, to the channels of `owner`. Null: of the installation. */
async function countPending(db: Kysely<Database>, orgId: string, owner: string | null): Promise<number> {
  const { count } = await db
    .selectFrom('deliveries')
    .innerJoin('notification_targets', 'notification_targets.targetId', 'deliveries.targetId')
    .select(sql<number>`CAST(COUNT(*) AS INTEGER)`.as('count'))
    .where((eb) => eb.and({ 'deliveries.orgId': orgId, status: 'pending' }))
    .where(ownerOf, '=', owner ?? '')
    .executeTakeFirstOrThrow();
  return count;
}

/** Maximum number of rows per statement. Well under the limits on parameters of both databases. */
const maxRowsPerStatement = 500;

/**
 * Queues each message for all channels of its organization and of the installation, except for those of `full`, and
 * names the organization in it.
 */
export async function enqueueToAll(
  db: Kysely<Database>,
  messages: readonly { orgId: string; alertId: string | null; message: NoticeMessage }[],
  nowMs: RawBuilder<number>,
  full: readonly (string | null)[] = [],
): Promise<void> {
  const orgIds = [...new Set(messages.map(({ orgId }) => orgId))];
  const all = await db
    .selectFrom('notification_targets')
    .select(['orgId', 'targetId'])
    .where((eb) => eb.or([eb('orgId', 'in', orgIds), eb('orgId', 'is', null)]))
    .execute();
  const targets = all.filter(({ orgId }) => !full.includes(orgId));
  if (targets.length === 0) return;
  const names = await db
    .selectFrom('organizations')
    .select(['orgId', 'externalId', 'name'])
    .where('orgId', 'in', orgIds)
    .execute();
  const byId = new Map(names.map((one) => [one.orgId, one]));
  const byOrg = Map.groupBy(targets, ({ orgId }) => orgId);
  const rows = messages.flatMap(({ orgId, alertId, message }) => {
    const named = { ...message, payload: withOrganization(message.payload, byId.get(orgId)) };
    return [...(byOrg.get(orgId) ?? []), ...(byOrg.get(null) ?? [])].map(({ targetId }) =>
      newRow({ ...named, deliveryId: newId(), orgId, targetId, alertId }, nowMs),
    );
  });
  for (let from = 0; from < rows.length; from += maxRowsPerStatement) {
    await db
      .insertInto('deliveries')
      .values(rows.slice(from, from + maxRowsPerStatement))
      .execute();
  }
}

/** Returns a payload that says which organization it is about in the operator's words too. */
function withOrganization(payload: string, found?: { externalId: string | null; name: string }): string {
  const notice: Notice = JSON.parse(payload);
  const { externalId: external_id = null, name: organization = '' } = found ?? {};
  return JSON.stringify({ ...notice, data: { ...notice.data, external_id, organization } });
}

/** Returns the row of a new delivery, which is due at once. */
function newRow(delivery: NewDelivery, nowMs: RawBuilder<number>) {
  return {
    ...delivery,
    status: 'pending' as const,
    attempts: 0,
    nextAttemptAt: nowMs,
    claimedUntil: 0,
    createdAt: nowMs,
  };
}

function toDelivery({ claimedUntil: _, ...row }: Database['deliveries']): Delivery {
  return row;
}
