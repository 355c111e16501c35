import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Overview, overviewWith } from '../../src/organizations/overview.ts';
import { standardTiers } from '../../src/quota/tiers.ts';
import { dayOf, windowAt } from '../../src/quota/window.ts';
import type { Stores } from '../../src/service/stores.ts';
import { noUsage } from '../../src/usage/reports.ts';
import { TestClock } from '../helpers/clock.ts';
import { batchOf, tablesOf } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

const dayMs = 86_400_000;

interface Made {
  readonly tier: 'free' | 'pro' | 'enterprise';
  readonly used: number;
  /** Requests counted on each of the last seven days. */
  readonly perDay: number;
  readonly refused: number;
  readonly lastDaysAgo: number;
}

/** What every database guarantees about the list of organizations by use. */
export function overviewContract(name: string, open: OpenStores): void {
  describe(`organizations by use on ${name}`, () => {
    const clock = new TestClock('2026-11-21T12:00:00Z');
    const today = dayOf(clock.now());
    let stores: Stores;
    let overview: Overview;
    const made: Record<string, Made> = {
      // 9 days are left; 90 a day last for 11 days, at the rate of 6.5 days.
      calm: { tier: 'free', used: 9_000, perDay: 90, refused: 0, lastDaysAgo: 0 },
      risky: { tier: 'free', used: 8_000, perDay: 500, refused: 3, lastDaysAgo: 0 },
      over: { tier: 'free', used: 10_000, perDay: 900, refused: 70, lastDaysAgo: 0 },
      unlimited: { tier: 'enterprise', used: 50_000, perDay: 9_000, refused: 0, lastDaysAgo: 0 },
      idle: { tier: 'pro', used: 0, perDay: 0, refused: 0, lastDaysAgo: 31 },
      soon: { tier: 'pro', used: 95_000, perDay: 4_000, refused: 1, lastDaysAgo: 0 },
    };

    before(async () => {
      stores = await open(clock);
      const db = await tablesOf(stores);
      overview = overviewWith(stores.overview, standardTiers, clock);
      const { counted: _, ...figures } = { ...noUsage, cached: 1 };
      // The first by name was created last.
      let createdAt = 100;
      for (const orgId of Object.keys(made).toSorted()) {
        const { tier, used, perDay, refused, lastDaysAgo } = made[orgId]!;
        createdAt -= 1;
        const row = {
          orgId,
          name: `The ${orgId}`,
          tier,
          custom: null,
          externalId: null,
          suspended: null,
          createdAt,
          revision: 1,
        };
        await stores.organizations.insert(row);
        const window = { windowKind: 'month', windowStart: windowAt('month', clock.now()).startMs };
        await db
          .insertInto('quota_windows')
          .values({ orgId, used, ...window })
          .execute();
        for (let ago = lastDaysAgo; ago < lastDaysAgo + 8; ago += 1) {
          const of = { orgId, day: today - ago, counted: perDay };
          await db
            .insertInto('usage_by_day')
            .values({ ...of, ...figures })
            .execute();
        }
        const { counted: _, cached: _c, failed: _f, ...none } = noUsage;
        const hour = { orgId, keyId: 'k', model: '', outcome: 'refused' as const, ...none };
        const [error, other] = ['rate_limit_exceeded', 'invalid_request'];
        await db
          .insertInto('usage_hours')
          .values([
            { ...hour, hour: today * 24 + 1, error, latencyClass: 1, requests: refused },
            { ...hour, hour: today * 24 - 1, error, latencyClass: 1, requests: 1_000 },
            { ...hour, hour: today * 24 + 1, error: other, latencyClass: 1, requests: 1_000 },
          ])
          .execute();
      }
    });
    after(() => stores.close());

    test('rows have the figures of their periods', async () => {
      const [risky] = (await overview.page({}, { q: 'risky' })).data;
      assert.ok(risky);
      assert.equal(risky.standing.used, 8_000);
      assert.equal(risky.refusedToday, 3);
      assert.deepEqual([risky.owner, risky.lastRequestAt, risky.days.length], [null, null, 8]);
      const entry = {
        orgId: 'risky',
        at: clock.now() - 5,
        entryId: 'e',
        requestId: 'r',
        keyId: null,
        userId: 'u',
      };
      const rest = {
        model: 'm',
        status: 200,
        error: '',
        outcome: 'counted',
        texts: 1,
        tokens: 1,
        latencyMs: 1,
      } as const;
      const entries = [{ ...entry, ...rest, queueMs: 0, limitId: null, param: null }];
      await stores.usage.add(batchOf({ entries }));
      const [logged] = (await overview.page({}, { q: 'risky' })).data;
      assert.equal(logged?.lastRequestAt, clock.now() - 5, 'a person has sent a request');
      assert.equal(risky.days[0]?.requests, 501);
      // 3,500 requests in 6.5 days leave 2,000 for 3.7 days.
      const leftDays = (risky.exhaustsAtMs! - clock.now()) / dayMs;
      assert.ok(Math.abs(leftDays - 2_000 / (3_500 / 6.5)) < 0.001, `${leftDays}`);
    });

    test('pages have each organization once, and how many there are on all of them', async () => {
      for (const sort of ['created', '-created', 'name', '-name']) {
        const found: string[] = [];
        let next: string | null | undefined;
        do {
          const page = await overview.page({}, { sort, limit: 4, after: next ?? undefined });
          assert.equal(page.total, found.length === 0 ? 6 : null);
          found.push(...page.data.map(({ orgId }) => orgId));
          ({ next } = page);
        } while (next !== null);
        const byName = Object.keys(made).toSorted();
        const isReversed = sort === '-name' || sort === 'created';
        assert.deepEqual(found, isReversed ? byName.reverse() : byName, sort);
      }
      assert.equal((await overview.page({}, { q: 'R', limit: 2 })).total, 2);
    });

    test('a user sees only their own organizations, with their role', async () => {
      const user = { emailVerified: 0, isAdmin: 0, twoFactorEnabled: 0, isDisabled: 0, image: null };
      const times = { createdAt: '', updatedAt: '' };
      const db = await tablesOf(stores);
      await db
        .insertInto('users')
        .values({ id: 'u', name: 'Ada', email: 'a@b.c', ...user, ...times })
        .execute();
      for (const orgId of ['soon', 'over']) {
        await stores.members.add(orgId, 'u', 'owner');
      }
      const page = await overview.page({ userId: 'u' }, { sort: 'name' });
      assert.deepEqual(
        page.data.map(({ orgId, role }) => [orgId, role]),
        [
          ['over', 'owner'],
          ['soon', 'owner'],
        ],
      );
      assert.deepEqual([page.total, page.data[0]?.owner], [2, 'Ada']);
    });
  });
}
