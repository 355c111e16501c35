import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Delivery, NewDelivery, Settlement } from '../../src/alerts/deliveries.ts';
import { newNotice } from '../../src/alerts/notice.ts';
import { notifyAll } from '../../src/alerts/stored-deliveries.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Stores } from '../../src/service/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import {
  channelRow,
  channelsOf,
  deliveriesOf,
  insertChannel,
  organizationRow,
  tablesOf,
} from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

/** What every database guarantees about targets and deliveries. `prepare`: as for alerts. */
export function deliveriesContract(name: string, prepare: () => Promise<OpenStores>): void {
  describe(`deliveries on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    const nowMs = clock.now();
    let [here, there]: Stores[] = [];
    let orgId: string;
    before(async () => {
      const open = await prepare();
      here = await open(clock);
      there = await open(clock);
    });
    beforeEach(async () => {
      orgId = newId();
      clock.nowMs = nowMs;
      await here!.organizations.insert(organizationRow(orgId));
    });
    after(() => Promise.all([here!.close(), there!.close()]));

    const inserted = () => insertChannel(here!, { orgId });
    const test1 = (targetId: string): NewDelivery => ({
      deliveryId: newId(),
      messageId: newId(),
      orgId,
      targetId,
      alertId: null,
      type: 'test',
      payload: '{"type":"test"}',
    });
    const enqueued = (targetId: string, atMs = nowMs): Promise<Delivery> => {
      clock.nowMs = atMs;
      return here!.deliveries.enqueue(test1(targetId));
    };
    const settled = (delivery: Delivery, change: Partial<Settlement>): Settlement => ({
      status: 'delivered',
      attempts: delivery.attempts,
      waitMs: 0,
      lastOutcome: 'Status 200',
      ...change,
    });

    const atMost = (limit: number) => ({ limit, perOrganization: limit, taken: new Map() });

    test('an organization has a bounded number of targets, oldest first, each as created', async () => {
      const made = Array.from({ length: 20 }, (_, i) => channelRow({ orgId, createdAt: 20 - i }));
      for (const one of made) {
        await here!.channels.add(one);
        const { address } = one;
        await assert.rejects(here!.channels.add(channelRow({ orgId, address })), { code: 'invalid_request' });
      }
      await assert.rejects(here!.channels.add(channelRow({ orgId })), /at most 20/);
      assert.deepEqual(await channelsOf(there!, orgId), made.toReversed());
    });

    test('a target is deleted with its deliveries, and only by its own organization', async () => {
      const { targetId } = await inserted();
      await enqueued(targetId);
      await assert.rejects(here!.channels.delete('org_other', targetId), { code: 'not_found' });
      await here!.channels.delete(orgId, targetId);
      await assert.rejects(here!.channels.delete(orgId, targetId), { code: 'not_found' });
      assert.deepEqual(await deliveriesOf(here!, orgId), []);
    });

    test('a delivery is read as queued, newest first, by target, and by no other organization', async () => {
      const [first, second] = [await inserted(), await inserted()];
      const earlier = await enqueued(first.targetId, nowMs - 1);
      const later = await enqueued(second.targetId, nowMs);
      const { deliveryId, messageId, ...rest } = later;
      assert.deepEqual(rest, {
        orgId,
        targetId: second.targetId,
        alertId: null,
        type: 'test',
        payload: '{"type":"test"}',
        status: 'pending',
        attempts: 0,
        nextAttemptAt: nowMs,
        lastAttemptAt: null,
        lastOutcome: null,
        createdAt: nowMs,
      });
      assert.deepEqual(await deliveriesOf(there!, orgId), [later, earlier]);
      assert.deepEqual(await deliveriesOf(there!, orgId, first.targetId), [earlier]);
      assert.deepEqual(await there!.deliveries.get(orgId, deliveryId), later);
      await assert.rejects(there!.deliveries.get('org_other', deliveryId), { code: 'not_found' });
      assert.deepEqual(await deliveriesOf(there!, 'org_other'), []);
    });

    test('nothing is queued for a missing target, nor beyond the bound on waiting deliveries', async () => {
      const { targetId } = await inserted();
      await assert.rejects(enqueued('target_none'), { code: 'not_found' });
      const ownerless = { ...test1(targetId), orgId: 'org_other' };
      await assert.rejects(here!.deliveries.enqueue(ownerless), { code: 'not_found' });
      for (let i = 0; i < 50; i += 1) await enqueued(targetId);
      await assert.rejects(enqueued(targetId), { code: 'rate_limit_exceeded', retryAfterSeconds: 60 });
    });

    test('channels of the installation are out of order without holding up those of an organization', async () => {
      const ofAll = await insertChannel(here!, { orgId: null });
      const own = await inserted();
      const db = await tablesOf(here!);
      const notice = newNotice('test', { org_id: orgId, message: '' }, nowMs);
      for (let i = 0; i < 1_001; i += 1)
        await notifyAll(db, orgId, notice, sql<number>`CAST(${nowMs} AS BIGINT)`);
      await db.deleteFrom('deliveries').where('targetId', '=', own.targetId).execute();
      await notifyAll(db, orgId, notice, sql<number>`CAST(${nowMs} AS BIGINT)`);
      await enqueued(own.targetId);
      const bounds = { limit: 1_000, perOrganization: 3, taken: new Map([[null, 1]]) };
      const claims = await there!.deliveries.claim(1_000, bounds);
      const claimed = (owner: string | null) =>
        claims.filter(({ channel }) => channel.orgId === owner).length;
      assert.deepEqual([claimed(orgId), claimed(null)], [2, 2]);
      await here!.channels.delete(null, ofAll.targetId);
    });

    /** Claims on both sides until nothing is left, and returns this organization's claims. */
    const claimAll = async (atMs: number, untilMs: number) => {
      const claimed: Delivery[] = [];
      clock.nowMs = atMs;
      await Promise.all(
        [here!, there!, here!, there!].map(async ({ deliveries }) => {
          for (;;) {
            const claims = await deliveries.claim(untilMs - atMs, atMost(7));
            claimed.push(...claims.map(({ delivery }) => delivery).filter((one) => one.orgId === orgId));
            if (claims.length === 0) return;
          }
        }),
      );
      return claimed;
    };

    test('a due delivery is claimed by one sender at a time, until the claim ends', async () => {
      const { targetId } = await inserted();
      const queued = await Promise.all(Array.from({ length: 40 }, () => enqueued(targetId)));
      await enqueued(targetId, nowMs + 1);
      const claimed = await claimAll(nowMs, nowMs + 1_000);
      assert.deepEqual(
        claimed.map(({ deliveryId }) => deliveryId).sort(),
        queued.map(({ deliveryId }) => deliveryId).sort(),
      );
      assert.ok(claimed.every(({ attempts }) => attempts === 1));
      assert.equal((await claimAll(nowMs + 999, nowMs + 2_000)).length, 1);

      // The holder has died: another sender claims them, and what the first reports afterwards no longer counts.
      const [old] = claimed as [Delivery];
      const again = await claimAll(nowMs + 1_000, nowMs + 3_000);
      assert.equal(again.length, 40);
      assert.ok(again.every(({ attempts }) => attempts === 2));
      await here!.deliveries.settle(old, settled(old, { status: 'failed' }));
      assert.equal((await here!.deliveries.get(orgId, old.deliveryId)).status, 'pending');
    });

    test('each organization gets one claim before any gets two, up to its bound or none', async () => {
      const [{ targetId: ours }, theirs] = [await inserted(), newId()];
      await here!.organizations.insert(organizationRow(theirs));
      const other = await insertChannel(here!, { orgId: theirs });
      for (let i = 0; i < 5; i += 1) await enqueued(ours, nowMs - 10);
      clock.nowMs = nowMs;
      for (let i = 0; i < 3; i += 1) {
        await here!.deliveries.enqueue({ ...test1(other.targetId), orgId: theirs });
      }
      const claimed = async (limit: number, taken: [string, number][] = []) => {
        const bounds = { limit, perOrganization: 2, taken: new Map(taken) };
        const claims = await here!.deliveries.claim(10_000, bounds);
        return claims.map(({ delivery }) => (delivery.orgId === orgId ? 'ours' : 'theirs'));
      };
      await claimAll(nowMs - 11, nowMs);
      clock.nowMs = nowMs;
      assert.deepEqual(await claimed(3), ['ours', 'theirs', 'ours']);
      assert.deepEqual(
        await claimed(10, [
          [theirs, 2],
          [orgId, 1],
        ]),
        ['ours'],
      );
      assert.deepEqual(await claimed(10), ['ours', 'theirs', 'ours', 'theirs']);
      assert.deepEqual(await claimed(10), []);
    });

    test('a claim includes its target, and is settled permanently or postponed', async () => {
      const made = await inserted();
      await enqueued(made.targetId);
      const claim = async (atMs: number) => {
        clock.nowMs = atMs;
        const claims = await here!.deliveries.claim(1_000, atMost(1_000));
        return claims.find(({ channel: { targetId } }) => targetId === made.targetId);
      };
      const first = await claim(nowMs);
      assert.deepEqual(first?.channel, made);
      const retry = { status: 'pending', waitMs: 5_000, lastOutcome: 'Status 500' } as const;
      await here!.deliveries.settle(first!.delivery, settled(first!.delivery, retry));
      assert.equal(await claim(nowMs + 4_999), undefined);
      const second = await claim(nowMs + 5_000);
      assert.deepEqual([second?.delivery.attempts, second?.delivery.lastOutcome], [2, 'Status 500']);
      await here!.deliveries.settle(second!.delivery, settled(second!.delivery, {}));
      assert.equal(await claim(nowMs + 1_000_000), undefined);
      const [delivery] = await deliveriesOf(here!, orgId);
      assert.deepEqual(
        [delivery?.status, delivery?.lastOutcome, delivery?.lastAttemptAt],
        ['delivered', 'Status 200', nowMs + 5_000],
      );
    });

    test('a claim that fails halfway returns what it has claimed', async () => {
      const { targetId } = await inserted();
      const queued: Delivery[] = [];
      for (let i = 0; i < 4; i += 1) queued.push(await enqueued(targetId, nowMs - 50_000 + i));
      const { deliveryId: refused } = queued[2]!;
      const { db } = await here!.authDatabase();
      await sql
        .raw(
          name === 'SQLite'
            ? `CREATE TRIGGER refused BEFORE UPDATE ON deliveries WHEN NEW.delivery_id = '${refused}' AND NEW.attempts = 1
               BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`
            : `ALTER TABLE deliveries ADD CONSTRAINT refused CHECK (delivery_id <> '${refused}' OR attempts <> 1)`,
        )
        .execute(db);
      clock.nowMs = nowMs - 40_000;
      const claims = await here!.deliveries.claim(120_000, atMost(10));
      assert.deepEqual(
        claims.map(({ delivery }) => delivery.deliveryId),
        queued.slice(0, 2).map(({ deliveryId }) => deliveryId),
      );
      await assert.rejects(here!.deliveries.claim(120_000, atMost(10)));
      await sql
        .raw(name === 'SQLite' ? 'DROP TRIGGER refused' : 'ALTER TABLE deliveries DROP CONSTRAINT refused')
        .execute(db);
      const later = await here!.deliveries.claim(120_000, atMost(10));
      assert.deepEqual(
        later.map(({ delivery }) => [delivery.deliveryId, delivery.attempts]),
        queued.slice(2).map(({ deliveryId }) => [deliveryId, 1]),
      );
      clock.nowMs = nowMs;
    });

    test('old deliveries are deleted, and of finished ones all but the newest', async () => {
      const { targetId } = await inserted();
      await enqueued(targetId, nowMs - 100);
      for (let i = 0; i < 6; i += 1) await enqueued(targetId, nowMs + i);
      await here!.deliveries.prune(nowMs);
      await here!.deliveries.pruneExcess(orgId, 2);
      assert.equal((await deliveriesOf(here!, orgId)).length, 6);
      clock.nowMs = nowMs + 3;
      for (const { delivery } of await here!.deliveries.claim(6, atMost(1_000))) {
        await here!.deliveries.settle(delivery, settled(delivery, {}));
      }
      await here!.deliveries.prune(nowMs);
      await here!.deliveries.pruneExcess(orgId, 3);
      const left = await deliveriesOf(here!, orgId);
      assert.deepEqual(
        left.map(({ createdAt, status }) => [createdAt - nowMs, status]),
        [
          [5, 'pending'],
          [4, 'pending'],
          [3, 'delivered'],
        ],
      );
    });
  });
}
