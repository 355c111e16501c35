import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Claim, Delivery, DeliveryStore, NewDelivery } from '../usage/notifiers/deliveries.ts';
import type { DatabaseTime } from './database-time.ts';
import { someOrganizations } from './each-organization.ts';
import { toTarget } from './notification-targets.ts';
import { isFull, rowsPerStep } from './rows-per-step.ts';
import type { Database } from './schema.ts';

export function deliveryStore(db: Kysely<Database>, time: DatabaseTime): DeliveryStore {
  return {
    enqueue(delivery, { maxPending }) {
      return db.transaction().execute(async (transaction) => {
        const target = await transaction
          .selectFrom('notification_targets')
          .select('target_id')
          .where('org_id', '=', delivery.orgId)
          .where('target_id', '=', delivery.targetId)
          .executeTakeFirst();
        if (!target) return undefined;
        const { count } = await transaction
          .selectFrom('deliveries')
          .select(sql<number>`CAST(COUNT(*) AS INTEGER)`.as('count'))
          .where('org_id', '=', delivery.orgId)
          .where('status', '=', 'pending')
          .executeTakeFirstOrThrow();
        if (count >= maxPending) return 'too many';
        const row = await transaction
          .insertInto('deliveries')
          .values(newRow(delivery, time()))
          .returningAll()
          .executeTakeFirstOrThrow();
        return toDelivery(row);
      });
    },

    async find(orgId, deliveryId) {
      const row = await db
        .selectFrom('deliveries')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('delivery_id', '=', deliveryId)
        .executeTakeFirst();
      return row && toDelivery(row);
    },

    async list(orgId, targetId, limit) {
      let query = db.selectFrom('deliveries').selectAll().where('org_id', '=', orgId);
      if (targetId !== null) query = query.where('target_id', '=', targetId);
      const rows = await query.orderBy('created_at', 'desc').orderBy('delivery_id').limit(limit).execute();
      return rows.map(toDelivery);
    },

    async claim(forMs, { limit, perOrganization, taken }) {
      const nowMs = time();
      const untilMs = sql<number>`${nowMs} + CAST(${forMs} AS BIGINT)`;
      // A claim beyond is from before the clock was set back.
      const isFree = (eb: ExpressionBuilder<Database, 'deliveries'>) =>
        eb.or([eb('claimed_until', '<=', nowMs), eb('claimed_until', '>', untilMs)]);
      const waiting = db
        .selectFrom('deliveries')
        .innerJoin('notification_targets', 'notification_targets.target_id', 'deliveries.target_id')
        .selectAll('notification_targets')
        .select(['delivery_id', 'next_attempt_at'])
        .select(
          sql<number>`ROW_NUMBER() OVER (PARTITION BY deliveries.org_id ORDER BY next_attempt_at, delivery_id)`.as(
            'place',
          ),
        )
        .where('status', '=', 'pending')
        .where('next_attempt_at', '<=', nowMs)
        .where(isFree);
      let allowed = db.selectFrom(waiting.as('waiting')).selectAll().where('place', '<=', perOrganization);
      for (const [count, entries] of Map.groupBy(taken, ([, count]) => count)) {
        const orgIds = entries.map(([orgId]) => orgId);
        allowed = allowed.where((eb) =>
          eb.or([eb('org_id', 'not in', orgIds), eb('place', '<=', perOrganization - count)]),
        );
      }
      const due = await allowed.orderBy('place').orderBy('next_attempt_at').limit(limit).execute();
      const claims: Claim[] = [];
      // One at a time: statements that each lock several rows, in orders of their own, could deadlock.
      for (const { delivery_id, ...target } of due) {
        try {
          const row = await db
            .updateTable('deliveries')
            .set((eb) => ({ claimed_until: untilMs, attempts: eb('attempts', '+', 1) }))
            .where('delivery_id', '=', delivery_id)
            .where('status', '=', 'pending')
            .where(isFree)
            .returningAll()
            .executeTakeFirst();
          if (row) claims.push({ delivery: toDelivery(row), target: toTarget(target) });
        } catch (reason) {
          // What was claimed so far is committed, and nobody else would send it until the claim ends.
          if (claims.length > 0) return claims;
          throw reason;
        }
      }
      return claims;
    },

    async settle({ deliveryId, attempts }, settlement) {
      const nowMs = time();
      await db
        .updateTable('deliveries')
        .set({
          status: settlement.status,
          attempts: settlement.attempts,
          next_attempt_at: sql<number>`${nowMs} + CAST(${settlement.waitMs} AS BIGINT)`,
          last_attempt_at: nowMs,
          last_outcome: settlement.lastOutcome,
          claimed_until: 0,
        })
        .where('delivery_id', '=', deliveryId)
        .where('status', '=', 'pending')
        .where('attempts', '=', attempts)
        .execute();
    },

    prune({ createdBeforeMs, maxPerOrganization }, afterOrgId) {
      return someOrganizations(db, afterOrgId, async (orgId) => {
        const old = await deleteSome(db, orgId, (eb) => eb('created_at', '<', createdBeforeMs));
        if (old) return true;
        const first = await db
          .selectFrom('deliveries')
          .select(['created_at', 'delivery_id'])
          .where('org_id', '=', orgId)
          .orderBy('created_at', 'desc')
          .orderBy('delivery_id', 'desc')
          .limit(1)
          .offset(maxPerOrganization)
          .executeTakeFirst();
        if (!first) return false;
        return deleteSome(db, orgId, (eb) =>
          eb.and([
            eb('status', '!=', 'pending'),
            eb(eb.refTuple('created_at', 'delivery_id'), '<=', eb.tuple(first.created_at, first.delivery_id)),
          ]),
        );
      });
    },
  };
}

/** Returns whether there may be more. */
async function deleteSome(
  db: Kysely<Database>,
  orgId: string,
  which: (eb: ExpressionBuilder<Database, 'deliveries'>) => Expression<SqlBool>,
): Promise<boolean> {
  const some = db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('org_id', '=', orgId)
    .where(which)
    .limit(rowsPerStep);
  return isFull(await db.deleteFrom('deliveries').where('delivery_id', 'in', some).executeTakeFirst());
}

type Row = Database['deliveries'];

function newRow(delivery: NewDelivery, nowMs: RawBuilder<number>) {
  return {
    delivery_id: delivery.deliveryId,
    message_id: delivery.messageId,
    org_id: delivery.orgId,
    target_id: delivery.targetId,
    alert_id: delivery.alertId,
    type: delivery.type,
    payload: delivery.payload,
    status: 'pending',
    attempts: 0,
    next_attempt_at: nowMs,
    claimed_until: 0,
    last_attempt_at: null,
    last_outcome: null,
    created_at: nowMs,
  };
}

function toDelivery(row: Row): Delivery {
  return {
    deliveryId: row.delivery_id,
    messageId: row.message_id,
    orgId: row.org_id,
    targetId: row.target_id,
    alertId: row.alert_id,
    type: row.type as Delivery['type'],
    payload: row.payload,
    status: row.status as Delivery['status'],
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastAttemptAt: row.last_attempt_at,
    lastOutcome: row.last_outcome,
    createdAt: row.created_at,
  };
}
