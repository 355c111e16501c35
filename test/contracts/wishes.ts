import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { wishList } from '../../src/organizations/wishes.ts';
import type { Stores } from '../../src/store/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { organizationRow } from '../helpers/stored.ts';
import { tablesOf } from './listed-rows.ts';
import type { OpenStores } from './stores.ts';

/** What every database guarantees about requests for another tier and for access. */
export function wishesContract(name: string, open: OpenStores): void {
  describe(`requests of people on ${name}`, () => {
    let stores: Stores;
    before(async () => {
      stores = await open(new TestClock('2026-11-21T03:00:00Z'));
      const db = await tablesOf(stores);
      await stores.organizations.insert({ ...organizationRow('org'), name: 'Acme' });
      for (const [id, isAdmin] of [
        ['ada', 0],
        ['bob', 1],
        ['eve', 1],
      ] as const) {
        const flags = { emailVerified: 0, isAdmin, twoFactorEnabled: 0, isDisabled: Number(id === 'eve') };
        const others = { name: id, email: `${id}@example.com`, image: null, createdAt: '', updatedAt: '' };
        await db
          .insertInto('users')
          .values({ id, ...others, ...flags })
          .execute();
      }
    });
    after(() => stores.close());

    const upgrade = (upgradeId: string, createdAt: number, orgId = 'org', tier = upgradeId) => {
      const open = { status: 'open' as const, decidedAt: null };
      return stores.wishes.putUpgrade({
        upgradeId,
        orgId,
        userId: 'ada',
        tier,
        createdAt,
        ...open,
      });
    };
    const access = (accessId: string, orgId: string | null, organization = accessId) =>
      stores.wishes.putAccess({ accessId, orgId, userId: 'ada', organization, createdAt: 1 });

    test('an open upgrade request is replaced, with a new id for another tier, and a decided one stays', async () => {
      await upgrade('free', 1);
      assert.equal(await upgrade('scale', 1), 'scale');
      assert.equal(await upgrade('again', 2, 'org', 'scale'), 'scale');
      const list = async () => (await stores.wishes.upgrades('org', wishList.request({}))).data;
      assert.deepEqual(
        (await list()).map(({ tier, createdAt }) => [tier, createdAt]),
        [['scale', 2]],
      );
      const declined = { status: 'declined', decidedAt: 3 } as const;
      assert.equal(await stores.wishes.setStatus('scale', 'open', declined), true);
      assert.equal(await stores.wishes.setStatus('scale', 'open', declined), false);
      await upgrade('free', 4);
      assert.deepEqual(
        (await list()).map(({ upgradeId }) => upgradeId),
        ['free', 'scale'],
      );
      assert.equal(await upgrade('none', 5, 'no such organization'), undefined);
    });

    test('an access request creates one membership, in the organization that it names', async () => {
      await access('first', 'org');
      assert.equal(await access('again', 'org', 'first'), 'first');
      assert.equal(await access('second', null), 'second');
      const membership = { orgId: 'org', role: 'member', createdAt: 1 } as const;
      assert.equal(await stores.wishes.acceptAccess('second', { orgId: 'org' }, membership), false);
      await access('third', 'org');
      const tries = ['a', 'b'].map(() => stores.wishes.acceptAccess('third', { orgId: 'org' }, membership));
      assert.deepEqual((await Promise.all(tries)).sort(), [false, true]);
      assert.equal(await stores.members.role('org', 'ada'), 'member');
      assert.deepEqual((await stores.wishes.accesses({}, wishList.request({}))).data, []);
    });

    test('a name finds its organization only if no other has it', async () => {
      assert.equal(await stores.wishes.organizationNamed('aCME'), 'org');
      await stores.organizations.insert({ ...organizationRow('other'), name: 'ACME' });
      assert.equal(await stores.wishes.organizationNamed('Acme'), null);
    });

    test('mail goes to administrators and owners who can sign in', async () => {
      assert.deepEqual(await stores.wishes.addresses('org'), ['bob@example.com']);
      await stores.members.change('org', 'ada', { from: 'member', to: 'owner' }, []);
      assert.deepEqual((await stores.wishes.addresses('org')).sort(), ['ada@example.com', 'bob@example.com']);
      assert.deepEqual(await stores.wishes.addresses(null), ['bob@example.com']);
    });
  });
}
