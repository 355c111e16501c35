import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { Chores } from '../../src/lib/chores.ts';
import { newId } from '../../src/lib/ids.ts';
import { deleteLeftovers } from '../../src/organizations/deletions.ts';
import { dayOf } from '../../src/quota/window.ts';
import type { Stores } from '../../src/service/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { addUsage, finishDeletions, organizationRow, usageOf } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

const days = 5;
const keysPerDay = 300;

/** What every database guarantees about the remains of deleted organizations. `prepare`: as for alerts. */
export function deletionsContract(name: string, prepare: () => Promise<OpenStores>): void {
  describe(`deletions on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    const today = dayOf(clock.now());
    let [here, there]: Stores[] = [];
    let db: Kysely<unknown>;
    before(async () => {
      const open = await prepare();
      here = await open(clock);
      there = await open(clock);
      db = (await here.authDatabase()).db as Kysely<unknown>;
    });
    after(() => Promise.all([here!.close(), there!.close()]));

    /** An organization with more records than a step deletes, and keys that were used. */
    const organization = async (): Promise<string> => {
      const orgId = newId();
      await here!.organizations.insert(organizationRow(orgId));
      for (let day = today - days; day < today; day += 1) {
        const keyIds = Array.from({ length: keysPerDay }, (_, n) => `${orgId} ${n}`);
        const used = keyIds.map((keyId) => usageOf({ orgId, keyId, day, cached: 1 }));
        await addUsage(here!.usage, used);
      }
      return orgId;
    };
    const recordsOf = async (orgId: string): Promise<number> =>
      (await here!.usage.rows(orgId, today - days, today + 1)).length;
    const activityOf = async (orgId: string): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        SELECT CAST(COUNT(*) AS INTEGER) AS n FROM key_activity /* a test's own */ WHERE key_id LIKE ${`${orgId} %`}`.execute(
        db,
      );
      return rows[0]!.n;
    };

    test('usage is deleted in steps after the organization, and another process can continue', async () => {
      const [gone, kept] = [await organization(), await organization()];
      await here!.organizations.delete(gone);
      assert.equal(await here!.organizations.exists(gone), false);
      const first = await here!.deletions.step(gone, null);
      const second = await here!.deletions.step(gone, first);
      assert.ok(second);
      const left = await recordsOf(gone);
      assert.ok(left > 0 && left < days * keysPerDay, `${left} records are left`);
      assert.deepEqual(await there!.deletions.list(10), [gone]);
      assert.ok((await finishDeletions(there!)) > 3);
      assert.deepEqual([await recordsOf(gone), await activityOf(gone)], [0, 0]);
      assert.deepEqual([await recordsOf(kept), await activityOf(kept)], [days * keysPerDay, keysPerDay]);
    });

    test('an organization that exists keeps its records, even if it is reported as deleted', async () => {
      const kept = await organization();
      await sql`INSERT INTO deleted_organizations (org_id, deleted_at) VALUES (${kept}, 1)`.execute(db);
      await finishDeletions(here!);
      assert.equal(await recordsOf(kept), days * keysPerDay);
    });

    test('records written during the deletion are deleted on a later pass', async () => {
      const gone = await organization();
      await here!.organizations.delete(gone);
      await finishDeletions(here!);
      await sql`INSERT INTO usage_records (org_id, day, key_id) VALUES (${gone}, ${sql.lit(today)}, 'late')`.execute(
        db,
      );
      assert.ok((await here!.deletions.list(10)).includes(gone));
      clock.advance(61_000);
      await finishDeletions(here!);
      assert.equal(await recordsOf(gone), 0);
      assert.ok(!(await here!.deletions.list(10)).includes(gone));
    });

    test('one replica at a time deletes, and stops early when it is closed', async () => {
      const gone = await organization();
      await here!.organizations.delete(gone);
      const errors: unknown[] = [];
      const steps: string[] = [];
      const worker = (replica: string, { deletions, leases }: Stores, onStep = () => {}) => {
        const store: Stores['deletions'] = {
          ...deletions,
          async step(...args) {
            steps.push(replica);
            onStep();
            return deletions.step(...args);
          },
        };
        const chores = new Chores(leases.take, clock);
        const look = chores.add({
          name: 'deletions',
          everyMs: 15_000,
          isShared: true,
          run: ({ signal }) => deleteLeftovers(store, signal),
          onError: (reason) => errors.push(reason),
        });
        return { look, close: () => chores.close() };
      };
      let closed: Promise<void> | undefined;
      const first = worker('first', here!, () => {
        if (steps.length === 2) closed = first.close();
      });
      await first.look();
      await closed;
      assert.deepEqual(steps, ['first', 'first']);
      assert.ok((await recordsOf(gone)) > 0);
      const second = worker('second', there!);
      await second.look();
      assert.deepEqual(steps, ['first', 'first']);
      // The lease of the first has ended.
      clock.advance(60_000);
      await second.look();
      await second.close();
      assert.equal(await recordsOf(gone), 0);
      assert.deepEqual(errors, []);
    });

    test('a clock that is far ahead of the last time seen gives no lease until a person trusts it', async () => {
      const { leases } = here!;
      const dayMs = 86_400_000;
      assert.notEqual(await leases.take('daily', 'one', 1_000), null);
      clock.advance(13 * dayMs);
      assert.notEqual(await leases.take('daily', 'one', 1_000), null);
      clock.advance(400 * dayMs);
      assert.ok((await leases.gapMs()) > 399 * dayMs);
      assert.equal(await leases.take('daily', 'one', 1_000), null);
      assert.equal(await leases.take('another', 'one', 1_000), null);
      assert.equal(await leases.isClockTrusted(), false);
      await leases.trustClock();
      assert.equal(await leases.isClockTrusted(), true);
      assert.notEqual(await leases.take('daily', 'one', 1_000), null);
    });
  });
}
