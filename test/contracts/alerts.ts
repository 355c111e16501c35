import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Alert, isCurrent } from '../../src/alerts/alert.ts';
import { AlertWatch } from '../../src/alerts/alert-watch.ts';
import type { DueAlert } from '../../src/alerts/due-alert.ts';
import { auditList } from '../../src/audit/entry.ts';
import { fixedKeyring, generateSigningKey } from '../../src/keys/keyring.ts';
import { Keys } from '../../src/keys/keys.ts';
import { allRows } from '../../src/lib/page.ts';
import { type Organizations, organizationsWith } from '../../src/organizations/organizations.ts';
import { Ledger } from '../../src/quota/ledger.ts';
import type { QuotaLimit } from '../../src/quota/tiers.ts';
import { standardTiers } from '../../src/quota/tiers.ts';
import { windowAt } from '../../src/quota/window.ts';
import type { Stores } from '../../src/service/stores.ts';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { alertsOf, channelsOf, deliveriesOf, insertChannel, insertLimit } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

const minuteMs = 60_000;

/**
 * What every database guarantees about alerts. `prepare` resolves to a function that opens stores on the same
 * data each time.
 */
export function alertsContract(name: string, prepare: () => Promise<OpenStores>): void {
  describe(`alerts on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let [here, there]: Stores[] = [];
    let organizations: Organizations;
    before(async () => {
      const open = await prepare();
      here = await open(clock);
      there = await open(clock);
      const keys = new Keys(here.keys, fixedKeyring([generateSigningKey()]), clock);
      organizations = organizationsWith(here.organizations, keys, clock);
    });
    after(() => Promise.all([here!.close(), there!.close()]));

    const organization = async (custom: QuotaLimit = { amount: 100, window: 'month' }) =>
      (await organizations.create({ name: 'Acme', tier: 'enterprise', custom })).orgId;

    const target = async (orgId: string) => (await insertChannel(here!, { orgId })).targetId;

    type DueOfQuota = Extract<DueAlert, { threshold: number }>;
    const call = (orgId: string, change: Partial<DueOfQuota> = {}): DueOfQuota => {
      const { startMs, endMs: resetsAtMs } = windowAt('month', clock.now());
      const standing = {
        limit: 100,
        used: 80,
        unit: 'requests' as const,
        window: 'month' as const,
        startMs,
        resetsAtMs,
        asOfMs: clock.now(),
      };
      return { orgId, kind: 'threshold', threshold: 80, standing, exhaustsAtMs: null, ...change };
    };

    const raise = async ({ alerts }: Stores, due: DueAlert) => (await alerts.raise([due])) === 1;

    const watchOf = (stores: Stores) => {
      const errors: unknown[] = [];
      const raised = { count: 0 };
      const watch = new AlertWatch({
        alerts: stores.alerts,
        usage: stores.usage,
        tiers: standardTiers,
        nameOf: async (_, { keyId }) => keyId && `the key ${keyId}`,
        onRaised: (count) => {
          raised.count += count;
        },
        onError: (reason) => errors.push(reason),
      });
      return { watch, raised, errors };
    };

    const kinds = async (orgId: string) =>
      (await alertsOf(here!, orgId)).map(({ kind, threshold }) => `${kind} ${threshold}`).sort();

    test('of many callers who raise the same alert, one succeeds, and each target gets one delivery of one message', async () => {
      const orgId = await organization();
      await target(orgId);
      await target(orgId);
      const raised = await Promise.all(
        Array.from({ length: 24 }, (_, i) => raise(i % 2 ? here! : there!, call(orgId))),
      );
      assert.equal(raised.filter(Boolean).length, 1);
      assert.equal((await alertsOf(there!, orgId)).length, 1);
      const deliveries = await deliveriesOf(there!, orgId);
      assert.equal(new Set(deliveries.map(({ targetId }) => targetId)).size, 2);
      assert.equal(deliveries.length, 2);
      assert.equal(new Set(deliveries.map(({ messageId }) => messageId)).size, 1);
    });

    test('a different threshold, kind, window or organization makes a different alert', async () => {
      const orgId = await organization();
      const { alerts } = here!;
      const next = windowAt('month', clock.now()).endMs;
      const calls = [
        call(orgId),
        call(orgId, { threshold: 90 }),
        call(orgId, { kind: 'projection', threshold: 0, exhaustsAtMs: next - 1 }),
        call(orgId, { standing: { ...call(orgId).standing, startMs: next } }),
        call(orgId, { standing: { ...call(orgId).standing, window: 'day' } }),
        call(await organization()),
      ];
      for (const one of calls) assert.equal(await raise(here!, one), true);
      for (const one of calls) assert.equal(await raise(here!, one), false);
      assert.equal((await allRows((page) => alerts.list(orgId, page))).length, 5);
    });

    test('of one window, only the alert that says most stays open, in whichever order they are raised', async () => {
      const orgId = await organization();
      const { alerts } = here!;
      const open = async () =>
        (await allRows((page) => alerts.list(orgId, { ...page, status: 'open' }))).map(
          (one) => one.threshold,
        );
      const forecast = call(orgId, { kind: 'projection', threshold: 0, exhaustsAtMs: clock.now() + 1 });
      for (const one of [forecast, call(orgId), call(orgId, { threshold: 50 })]) await raise(here!, one);
      assert.deepEqual((await open()).sort(), [0, 80]);
      await raise(here!, call(orgId, { threshold: 100 }));
      assert.deepEqual(await open(), [100]);
      const [closed] = (await alertsOf(here!, orgId)).filter(({ threshold }) => threshold === 50);
      assert.deepEqual([closed?.acknowledgedAtMs, closed?.acknowledgedBy], [clock.now(), null]);
    });

    test('an alert is read as raised, and keeps the name of the first person who acknowledged it', async () => {
      const orgId = await organization();
      const { alerts } = here!;
      const exhaustsAtMs = clock.now() + 86_400_000;
      await raise(here!, call(orgId, { kind: 'projection', threshold: 0, exhaustsAtMs }));
      const [alert] = (await allRows((page) => alerts.list(orgId, page))) as [Alert];
      const { alertId, ...rest } = alert;
      assert.deepEqual(rest, {
        orgId,
        kind: 'projection',
        threshold: 0,
        fact: `month ${windowAt('month', clock.now()).startMs}`,
        limitId: null,
        keyId: null,
        userId: null,
        name: null,
        expiresAtMs: null,
        window: 'month',
        limit: 100,
        used: 80,
        exhaustsAtMs,
        windowStartMs: Date.parse('2026-11-01T00:00:00Z'),
        raisedAtMs: clock.now(),
        acknowledgedAtMs: null,
        acknowledgedBy: null,
      });
      assert.equal(isCurrent(alert, clock.now()), true);
      const acknowledged = { ...alert, acknowledgedAtMs: clock.now(), acknowledgedBy: 'user_1' };
      for (const by of ['user_1', 'user_2'])
        assert.deepEqual(await alerts.acknowledge(orgId, [alertId], by), [acknowledged]);
      assert.deepEqual(await alerts.acknowledge(await organization(), [alertId], 'user_1'), []);
    });

    test('settings are the defaults until they are changed, even to nothing', async () => {
      const orgId = await organization();
      const { alerts } = here!;
      const others = { limitThresholds: [], keyExpiry: true, tierThresholds: [] };
      const usual = { thresholds: [50, 80, 90, 100], projection: true };
      assert.deepEqual(await alerts.settings(orgId), { ...others, ...usual });
      await alerts.setSettings(orgId, { thresholds: [90, 10, 90], projection: false });
      assert.deepEqual(await alerts.settings(orgId), {
        ...others,
        thresholds: [10, 90],
        projection: false,
      });
      await alerts.setSettings(orgId, { thresholds: [], projection: true });
      assert.deepEqual(await alerts.settings(orgId), { ...others, thresholds: [], projection: true });
      await alerts.setSettings(orgId, { limitThresholds: [90, 50], keyExpiry: false });
      const changed = { ...others, limitThresholds: [50, 90], keyExpiry: false };
      assert.deepEqual(await alerts.settings(orgId), { ...changed, thresholds: [], projection: true });
      for (const thresholds of [[0], [101], [1.5], Array.from({ length: 11 }, (_, i) => i + 1)]) {
        await assert.rejects(alerts.setSettings(orgId, { thresholds }), { code: 'invalid_request' });
        await assert.rejects(alerts.setSettings(orgId, { limitThresholds: thresholds }), {
          code: 'invalid_request',
        });
      }
    });

    test('settings that change while their organization is deleted are changed or not found', async () => {
      const { alerts } = here!;
      for (let n = 0; n < 20; n += 1) {
        const orgId = await organization();
        await alerts.setSettings(orgId, { thresholds: [50] });
        const changes = [10, 20, 30, 40].map((percent) =>
          alerts.setSettings(orgId, { thresholds: [percent] }),
        );
        const [deletion, ...outcomes] = await Promise.allSettled([organizations.delete(orgId), ...changes]);
        assert.equal(deletion.status, 'fulfilled');
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'not_found', outcome.reason);
      }
    });

    test('requests counted on several replicas at once raise each threshold once', async () => {
      const orgId = await organization({ amount: 20, window: 'month' });
      const replicas = [here!, there!].map((stores) => {
        const ledger = new Ledger(stores.ledger, clock);
        const watched = watchOf(stores);
        ledger.onCounted((...counted) => watched.watch.counted(...counted));
        return { ledger, ...watched };
      });
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => replicas[i % 2]!.ledger.reserve(orgId, askOf('key_1'))),
      );
      for (const { watch } of replicas) await watch.close();
      const all = ['threshold 100', 'threshold 50', 'threshold 80', 'threshold 90'];
      assert.deepEqual(await kinds(orgId), all);
      assert.equal(replicas[0]!.raised.count + replicas[1]!.raised.count, 4);
      assert.deepEqual([...replicas[0]!.errors, ...replicas[1]!.errors], []);
    });

    test('a sweep raises what nobody has raised, and ignores past windows', async () => {
      const orgId = await organization();
      const daily = await organization({ amount: 10, window: 'day' });
      const hourly = await organization({ amount: 10, window: 'hour' });
      const ledger = new Ledger(here!.ledger, clock);
      const use = (id: string, times: number) =>
        Promise.all(Array.from({ length: times }, () => ledger.reserve(id, askOf('key_1'))));
      await use(orgId, 85);
      await use(daily, 9);
      await use(hourly, 9);
      const { watch, errors } = watchOf(here!);
      await watch.sweep(clock.now());
      assert.deepEqual(await kinds(orgId), ['threshold 50', 'threshold 80']);
      assert.deepEqual(await kinds(daily), ['threshold 50', 'threshold 80', 'threshold 90']);
      assert.deepEqual(await kinds(hourly), []);

      await here!.alerts.setSettings(orgId, { thresholds: [10, 80], projection: true });
      watch.check(orgId, clock.now());
      await watch.close();
      assert.deepEqual(await kinds(orgId), ['threshold 10', 'threshold 50', 'threshold 80']);

      clock.advance(86_400_000);
      await here!.alerts.setSettings(daily, { thresholds: [20], projection: true });
      await watch.sweep(clock.now());
      assert.equal((await kinds(daily)).length, 3);
      assert.deepEqual(errors, []);
    });

    test('thresholds of limits are raised once each, with whose limit it is, and the higher one stays open', async () => {
      const orgId = await organization();
      const targetId = await target(orgId);
      const { alerts } = here!;
      await alerts.setSettings(orgId, { limitThresholds: [50, 100] });
      const ledger = new Ledger(here!.ledger, clock);
      const { watch, errors } = watchOf(here!);
      ledger.onCounted((...counted) => watch.counted(...counted));
      const limit = { orgId, unit: 'requests', amount: 2, createdAt: 1 } as const;
      await insertLimit(here!, { ...limit, limitId: `${orgId} key`, keyId: 'k', window: 'day' });
      await insertLimit(here!, { ...limit, limitId: `${orgId} fast`, keyId: 'k', window: 'minute' });
      const ofMember = { ...limit, keyId: null, userId: 'user', window: 'month' } as const;
      await insertLimit(here!, { ...ofMember, limitId: `${orgId} member`, amount: 4 });
      for (let i = 0; i < 2; i += 1) await ledger.reserve(orgId, askOf('k'));
      await assert.rejects(ledger.reserve(orgId, askOf('k')));
      await watch.close();
      await ledger.close();
      assert.deepEqual(errors, []);
      const raised = await alertsOf(here!, orgId);
      const shown = raised.map(({ limitId, keyId, userId, name, threshold, window, used, limit }) => [
        limitId?.replace(`${orgId} `, ''),
        [keyId, userId, name],
        [threshold, window, used, limit],
      ]);
      assert.deepEqual(shown.toSorted(), [
        ['key', ['k', null, 'the key k'], [100, 'day', 2, 2]],
        ['key', ['k', null, 'the key k'], [50, 'day', 1, 2]],
        ['member', [null, 'user', null], [50, 'month', 2, 4]],
      ]);
      const open = raised.filter(({ acknowledgedAtMs }) => acknowledgedAtMs === null);
      assert.deepEqual(open.map(({ threshold, limitId }) => [threshold, limitId]).toSorted(), [
        [100, `${orgId} key`],
        [50, `${orgId} member`],
      ]);
      await here!.alerts.acknowledge(orgId, [open[0]!.alertId], 'user');
      const { data } = await here!.audit.page({ orgId, action: 'alert.acknowledge' }, auditList.request({}));
      assert.equal(data[0]?.after?.limit_id, open[0]!.limitId);
      const sent = await deliveriesOf(here!, orgId);
      assert.ok(sent.every((one) => one.type === 'limit.threshold_reached' && one.targetId === targetId));

      await alerts.setSettings(orgId, { limitThresholds: [25] });
      watch.check(orgId, clock.now());
      await assert.rejects(ledger.reserve(orgId, askOf('k')));
      await watch.close();
      const added = (await alertsOf(here!, orgId)).filter(({ threshold }) => threshold === 25);
      assert.deepEqual(added.map(({ limitId }) => limitId).toSorted(), [`${orgId} key`, `${orgId} member`]);
    });

    test('a key that was made for longer and ends within 14 days raises one alert, unless it was replaced', async () => {
      const orgId = await organization();
      const silent = await organization();
      await here!.alerts.setSettings(silent, { keyExpiry: false });
      const keys = new Keys(here!.keys, fixedKeyring([generateSigningKey()]), clock);
      const made = (days: number, of = orgId) =>
        keys.create({ orgId: of, userId: 'user', name: `for ${days} days`, lifetimeMs: days * 86_400_000 });
      const [ends] = [await made(20), await made(14), await made(20, silent)] as const;
      const later = await made(40);
      const replaced = await made(20);
      const successor = await keys.rotate(replaced.key.keyId, 20 * 86_400_000);
      const began = clock.now();
      const { watch, errors } = watchOf(here!);
      await watch.sweep(clock.now());
      assert.deepEqual(await alertsOf(here!, orgId), []);
      clock.set(new Date(began + 7 * 86_400_000).toISOString());
      for (const each of [watch, watch, watchOf(there!).watch]) await each.sweep(clock.now());
      assert.deepEqual(errors, []);
      const raised = await alertsOf(here!, orgId);
      assert.deepEqual(
        raised
          .map(({ kind, keyId, name, expiresAtMs, window }) => [kind, keyId, name, expiresAtMs, window])
          .toSorted(),
        [ends, successor]
          .map(({ key }) => ['key_expiry', key.keyId, 'for 20 days', key.expiresAt, null])
          .toSorted(),
      );
      assert.deepEqual(await alertsOf(here!, silent), []);
      await keys.change(later.key.keyId, { expiresAt: began + 15 * 86_400_000 });
      clock.advance(10 * minuteMs);
      await watch.sweep(clock.now());
      const added = (await alertsOf(here!, orgId)).filter(
        (one) => !raised.some(({ fact }) => fact === one.fact),
      );
      assert.deepEqual(
        added.map(({ keyId }) => keyId),
        [later.key.keyId],
      );
      assert.equal(isCurrent(raised[0]!, clock.now()), true);
      clock.set(new Date(ends.key.expiresAt).toISOString());
      assert.equal(isCurrent(raised[0]!, clock.now()), false);
      clock.set(new Date(began).toISOString());
    });

    test('a projected exhaustion is raised once, and not where the quota lasts', async () => {
      const fast = await organization({ amount: 1_000, window: 'month' });
      const slow = await organization({ amount: 1_000, window: 'month' });
      const ledger = new Ledger(here!.ledger, clock);
      const use = (id: string, times: number) =>
        Promise.all(Array.from({ length: times }, () => ledger.reserve(id, askOf('key_1'))));
      for (const day of ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']) {
        clock.set(`${day}T03:00:00Z`);
        await use(fast, 120);
        await use(slow, 10);
      }
      clock.advance(60 * minuteMs);
      const { watch, errors } = watchOf(there!);
      await watch.sweep(clock.now());
      clock.advance(20 * minuteMs);
      await watch.sweep(clock.now());
      await watch.close();
      assert.deepEqual(await kinds(fast), ['projection 0']);
      assert.deepEqual(await kinds(slow), []);
      const [alert] = await alertsOf(here!, fast);
      assert.match(new Date(alert?.exhaustsAtMs ?? 0).toISOString(), /^2026-11-29/);
      assert.deepEqual(errors, []);
    });

    test('old alerts are deleted, and a deleted organization’s alerts with it', async () => {
      const orgId = await organization();
      const targetId = await target(orgId);
      const { alerts } = here!;
      await alerts.setSettings(orgId, { thresholds: [1], projection: true });
      await raise(here!, call(orgId));
      await here!.alerts.prune(clock.now());
      assert.equal((await allRows((page) => alerts.list(orgId, page))).length, 1);
      await here!.alerts.prune(clock.now() + 1);
      assert.equal((await allRows((page) => alerts.list(orgId, page))).length, 0);
      await raise(here!, call(orgId));
      await organizations.delete(orgId);
      assert.deepEqual(await allRows((page) => alerts.list(orgId, page)), []);
      await assert.rejects(alerts.settings(orgId), { code: 'not_found' });
      assert.deepEqual(await channelsOf(here!, orgId), []);
      assert.deepEqual(await deliveriesOf(here!, orgId, targetId), []);
      assert.equal(await raise(here!, call(orgId)), false);
    });

    test('a lease belongs to one holder until it ends, and its holder can renew it', async () => {
      const nowMs = clock.now();
      const take = async (stores: Stores, holder: string, atMs: number) => {
        clock.nowMs = atMs;
        return (await stores.leases.take('a lease', holder, 1_000)) === atMs;
      };
      const taken = await Promise.all(
        Array.from({ length: 8 }, (_, i) => take(i % 2 ? here! : there!, `holder ${i}`, nowMs)),
      );
      assert.equal(taken.filter(Boolean).length, 1);
      const holder = `holder ${taken.indexOf(true)}`;
      assert.equal(await take(here!, holder, nowMs + 500), true);
      assert.equal(await take(there!, 'another', nowMs + 1_400), false);
      assert.equal(await take(there!, 'another', nowMs + 1_500), true);
      assert.equal(await take(here!, holder, nowMs + 1_600), false);
      // After a clock is set back, nobody stays locked out for that long.
      assert.equal(await take(here!, holder, nowMs - 3_600_000), true);
    });

    test('many alerts are raised in one transaction, except those already raised and those of a deleted organization', async () => {
      const { alerts } = here!;
      const orgIds = await Promise.all(Array.from({ length: 30 }, () => organization()));
      const [first, gone, ...others] = orgIds as [string, string, ...string[]];
      for (const orgId of orgIds) await target(orgId);
      assert.equal(await raise(here!, call(first)), true);
      assert.equal(await alerts.raise([first, ...others].map((orgId) => call(orgId))), others.length);
      assert.equal(await alerts.raise(orgIds.map((orgId) => call(orgId))), 1);
      await organizations.delete(gone);
      assert.equal(await alerts.raise(orgIds.map((orgId) => call(orgId, { threshold: 90 }))), 29);
      for (const orgId of others) {
        assert.deepEqual(await kinds(orgId), ['threshold 80', 'threshold 90']);
        const messages = await deliveriesOf(here!, orgId);
        assert.equal(new Set(messages.map(({ messageId }) => messageId)).size, 2);
      }
    });

    test('a sweep raises alerts for more organizations than it reads at a time', async () => {
      const { db } = await here!.authDatabase();
      const many = Array.from({ length: 2_100 }, (_, i) => `many_${String(i).padStart(4, '0')}`);
      const { startMs } = windowAt('month', clock.now());
      for (let from = 0; from < many.length; from += 500) {
        const some = many.slice(from, from + 500);
        await sql`INSERT INTO organizations (org_id, name, tier, created_at, revision, cache_secret)
          VALUES ${sql.join(some.map((orgId) => sql`(${orgId}, 'Many', 'free', 1, 1, 'secret')`))}`.execute(
          db,
        );
        await sql`INSERT INTO quota_windows (org_id, window_kind, window_start, used)
          VALUES ${sql.join(some.map((orgId) => sql`(${orgId}, 'month', ${sql.lit(startMs)}, 8500)`))}`.execute(
          db,
        );
      }
      const { watch, errors } = watchOf(here!);
      clock.advance(minuteMs);
      await watch.sweep(clock.now());
      await watch.close();
      assert.deepEqual(errors, []);
      for (const orgId of [many[0]!, many[1_050]!, many.at(-1)!]) {
        assert.deepEqual(await kinds(orgId), ['threshold 50', 'threshold 80']);
      }
      const { rows } = await sql<{ count: number }>`SELECT CAST(COUNT(*) AS INTEGER) AS count FROM alerts
        /* a test's own */ WHERE org_id LIKE 'many%'`.execute(db);
      assert.equal(rows[0]?.count, 2 * many.length);
    });

    test('an organization that is idle on weekends gets no projected exhaustion on a Friday', async () => {
      const mondayMs = Date.parse('2027-02-22T20:00:00Z');
      clock.nowMs = mondayMs;
      const orgId = await organization({ amount: 1_000, window: 'month' });
      const ledger = new Ledger(here!.ledger, clock);
      const { watch, raised, errors } = watchOf(here!);
      for (let day = 0; day <= 25; day += 1) {
        if (day % 7 >= 5) continue;
        clock.nowMs = mondayMs + day * 86_400_000;
        await Promise.all(Array.from({ length: 40 }, () => ledger.reserve(orgId, askOf('key_1'))));
        if (day % 7 === 4) await watch.sweep(clock.now());
      }
      await watch.close();
      assert.deepEqual(errors, []);
      assert.equal(raised.count, 1);
      assert.deepEqual(await kinds(orgId), ['threshold 50']);
    });
  });
}
