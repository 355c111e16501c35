import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { type Core, openCore } from '../../../src/service/core.ts';
import { askOf } from '../../helpers/asks.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { untilEnd } from '../../helpers/until-end.ts';

for (const database of ['SQLite', 'Postgres']) {
  describe(`the limits of a tier on ${database}`, async () => {
    const directory = untilEnd(temporaryDirectory());
    const file = join(directory.path, 'embedgate.yaml');
    const stored =
      database === 'Postgres' ? ownPostgres(await untilEnd(await openPostgres()).createDatabase()) : {};
    const environment = { ...stored, DATA_DIR: directory.path, EMBEDGATE_CONFIG: file };
    const clock = new TestClock('2026-11-21T03:00:00Z');

    /** Starts with these limits of the tier `pro`, as the service does. */
    const withLimits = async <R>(limits: string, use: (core: Core) => Promise<R>): Promise<R> => {
      writeFileSync(
        file,
        `tiers: [{name: free, limit: 1}, {name: pro, limit: unlimited${limits && `, limits: [${limits}]`}}]`,
      );
      const core = await openCore(readConfig(environment), clock);
      try {
        while (await core.limits.followTiers()) {}
        return await use(core);
      } finally {
        await core.close();
      }
    };
    const amounts = async ({ limits }: Core, orgId: string, keyId: string | null = null) =>
      (await limits.list(orgId, { keyId }))
        .map(({ amount, used, setBy }) => `${amount} ${used} ${setBy}`)
        .sort();

    it('are those of the settings file and of the present tier, and keep what they have counted', async () => {
      const limits = (own: number, ofKeys: number) =>
        `{window: day, amount: ${own}}, {applies_to: new_keys, window: day, amount: ${ofKeys}}`;
      const made = await withLimits(limits(10, 3), async (core) => {
        const { orgId } = await core.organizations.create({ name: 'tiers', tier: 'pro' });
        const { key } = await core.keys.create({ orgId, userId: null, name: 'key' });
        const { key: second } = await core.keys.rotate(key.keyId, 60_000);
        const { keyId } = key;
        await core.limits.add(orgId, { keyId, unit: 'requests', window: 'day', amount: 100 });
        await core.ledger.reserve(orgId, askOf(keyId));
        assert.deepEqual(await amounts(core, orgId), ['10 1 tier']);
        assert.deepEqual(await amounts(core, orgId, second.keyId), ['100 1 operator', '3 1 tier']);
        // More than one step changes.
        const others = [];
        for (let i = 0; i < 205; i += 1)
          others.push(await core.organizations.create({ name: 'another', tier: 'pro' }));
        return { orgId, keyId, others };
      });
      const { orgId, keyId, others } = made;
      await withLimits(limits(7, 2), async (core) => {
        assert.deepEqual(await amounts(core, orgId), ['7 1 tier']);
        assert.deepEqual(await amounts(core, orgId, keyId), ['100 1 operator', '2 1 tier']);
        for (const other of others) assert.deepEqual(await amounts(core, other.orgId), ['7 0 tier']);
        await core.ledger.reserve(orgId, askOf(keyId));
        await assert.rejects(core.ledger.reserve(orgId, askOf(keyId)), { code: 'rate_limit_exceeded' });
        await core.organizations.setTier(orgId, 'free', null);
        assert.deepEqual(await amounts(core, orgId), []);
        assert.deepEqual(await amounts(core, orgId, keyId), ['100 2 operator']);
        await core.organizations.setTier(orgId, 'pro', null);
        assert.deepEqual(await amounts(core, orgId, keyId), ['100 2 operator', '2 0 tier']);
      });
      await withLimits('', async (core) => {
        assert.deepEqual(await amounts(core, orgId), []);
        assert.deepEqual(await amounts(core, orgId, keyId), ['100 2 operator']);
      });
    });
  });
}
