import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AuditFilter, auditList } from '../../src/audit/entry.ts';
import { withOrigin } from '../../src/audit/origin.ts';
import { inSteps } from '../../src/lib/in-steps.ts';
import { allRows } from '../../src/lib/page.ts';
import type { Stores } from '../../src/service/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { organizationRow } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

/** What every database guarantees about the entries of changes. */
export function auditContract(name: 'SQLite' | 'Postgres', open: OpenStores): void {
  describe(`the audit log on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    before(async () => {
      stores = await open(clock);
    });
    after(() => stores.close());

    const entries = (filter: AuditFilter) =>
      allRows((query) => stores.audit.page(filter, auditList.request(query)));
    const by = <R>(id: string, work: () => R, kind: 'user' | 'key' = 'user') => {
      const actor = { kind, id } as const;
      return withOrigin({ actor, address: '203.0.113.7', requestId: 'r1', at: clock.now() }, work);
    };
    const byAda = <R>(work: () => R) => by('ada', work);

    test('an entry has the fields that differ, who changed them, and from where', async () => {
      await byAda(() => stores.organizations.insert(organizationRow('org')));
      clock.advance(1_000);
      await byAda(() => stores.organizations.change('org', { name: 'Renamed' }));
      const [renamed, created] = await entries({ orgId: 'org' });
      const { name: first } = organizationRow('org');
      assert.deepEqual(
        [renamed?.action, renamed?.before, renamed?.after, renamed?.at],
        ['organization.change', { name: first }, { name: 'Renamed' }, clock.now()],
      );
      assert.deepEqual(
        [created?.actorKind, created?.actorId, created?.address, created?.requestId],
        ['user', 'ada', '203.0.113.7', 'r1'],
      );
    });

    test('what changes nothing has no entry', async () => {
      const known = await entries({});
      await stores.organizations.change('org', { name: 'Renamed' });
      await assert.rejects(stores.organizations.change('none', { name: 'x' }), { code: 'not_found' });
      await assert.rejects(stores.limits.remove('org', 'none'), { code: 'not_found' });
      const nobody = { orgId: 'org', userId: 'nobody', role: 'admin', createdAt: 0 } as const;
      await assert.rejects(stores.members.remove(nobody), { code: 'not_found' });
      assert.deepEqual(await entries({}), known);
    });

    test('an organization loses the oldest entries of the actor that has most, and no others', async () => {
      const rename = (name: string) => () => stores.organizations.change('org', { name: name });
      for (const name of ['A', 'B', 'C']) {
        clock.advance(1_000);
        // A leaked key that rotates itself is another key each time.
        await by(`key ${name}`, rename(`by a key, before ${name}`), 'key');
        await byAda(rename(name));
        await by(`next key ${name}`, rename(`by a key, after ${name}`), 'key');
      }
      const known = await entries({ orgId: 'org' });
      await inSteps(() => stores.audit.pruneExcess('org', 8));
      const kept = await entries({ orgId: 'org' });
      const of = (list: typeof known, kind: string) => list.filter(({ actorKind }) => actorKind === kind);
      assert.deepEqual(of(kept, 'user'), of(known, 'user'));
      assert.deepEqual(of(kept, 'key'), of(known, 'key').slice(0, 8 - of(known, 'user').length));
    });

    test('an entry outlives its organization until it is too old', async () => {
      const startMs = clock.now();
      clock.advance(60_000);
      await byAda(() => stores.organizations.delete('org'));
      const [deleted, ...earlier] = await entries({ orgId: 'org', fromMs: startMs });
      assert.equal(deleted?.action, 'organization.delete');
      assert.notDeepEqual(earlier, []);
      await stores.audit.prune(clock.now());
      assert.deepEqual(await entries({}), [deleted]);
      assert.deepEqual(await entries({ toMs: clock.now() }), []);
    });
  });
}
