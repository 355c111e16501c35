import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AlertWatch } from '../../../src/alerts/alert-watch.ts';
import { noUnits } from '../../../src/quota/limit.ts';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { alertsOf } from '../../helpers/stored.ts';
import { untilEnd } from '../../helpers/until-end.ts';

interface Usage {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly unit: string;
  readonly totals: Readonly<Record<'counted' | 'texts' | 'counted_texts' | 'counted_tokens', number>>;
}

const directory = untilEnd(temporaryDirectory());
const settings = join(directory.path, 'embedgate.yaml');
writeFileSync(
  settings,
  `tiers:
    - {name: texts, unit: texts, limit: 5, thresholds: [60]}
    - {name: tokens, unit: tokens, limit: 20, custom_limits: true, thresholds: [2]}`,
);

for (const database of ['SQLite', 'Postgres']) {
  describe(`a tier that counts another unit than requests, on ${database}`, async () => {
    const stored =
      database === 'Postgres' ? ownPostgres(await untilEnd(await openPostgres()).createDatabase()) : {};
    const app = untilEnd(
      await listeningApp({
        environment: { ...stored, EMBEDGATE_CONFIG: settings, DEFAULT_TIER: 'texts' },
      }),
    );
    const { services } = app;
    const embed = (key: string, ...input: string[]) => requestEmbeddings(app.address, key, input);
    const usage = async (key: string): Promise<Usage> => {
      const response = await fetch(`${app.address}/v1/usage`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return (await response.json()) as Usage;
    };
    const refusal = async (response: Response) => {
      const { message } = (await response.json()) as { message: string };
      return `${response.status} ${message}`;
    };
    const organization = async (tier: string, custom: { amount: number; window: 'day' } | null = null) => {
      const { orgId } = await services.organizations.create({ name: 'Unit', tier, custom });
      const { secret } = await services.keys.create({ orgId, userId: 'u', name: 'key' });
      return { orgId, key: secret };
    };
    const alerts = async (orgId: string) =>
      (await alertsOf(services.stores, orgId))
        .map(({ threshold, limit, used }) => ({ threshold, limit, used }))
        .sort((a, b) => a.threshold - b.threshold);

    it('counts texts, refuses more than are left, and says how many those are', async () => {
      const { orgId, key } = await organization('texts');
      const first = await embed(key, 'one', 'two', 'three');
      assert.equal(first.status, 200);
      assert.equal(first.headers.get('x-ratelimit-remaining'), '2');
      assert.match(String(first.headers.get('ratelimit-policy')), /^"monthly";q=5;qu="texts";w=\d+$/);
      assert.match(
        await refusal(await embed(key, 'four', 'five', 'six')),
        /^429 Monthly quota exhausted: the request has 3 texts, and 2 are left\. Resets on /,
      );
      assert.equal((await embed(key, 'one', 'three')).status, 200, 'texts from the cache don’t count');
      assert.equal(
        await refusal(await embed(key, ...Array.from({ length: 6 }, (_, i) => `text ${i}`))),
        '400 The request has 6 texts, but this organization may use at most 5 per month',
      );
      assert.equal((await embed(key, 'three', 'four', 'five')).status, 200);
      assert.match(await refusal(await embed(key, 'six')), /^429 Monthly quota exhausted\. Resets on /);
      const { limit, used, remaining, unit, totals } = await usage(key);
      assert.deepEqual({ limit, used, remaining, unit }, { limit: 5, used: 5, remaining: 0, unit: 'texts' });
      assert.deepEqual(
        [totals.counted, totals.texts, totals.counted_texts],
        [2, 8, 5],
        'requests, texts, and those of them that were counted',
      );
      await eventually(async () => (await alerts(orgId)).length === 5);
      assert.deepEqual((await alerts(orgId)).at(-1), { threshold: 100, limit: 5, used: 5 });
    });

    it('counts tokens in the window of a custom limit, and what was counted stays with the unit', async () => {
      const { orgId, key } = await organization('tokens', { amount: 6, window: 'day' });
      const response = await embed(key, 'a b c');
      const { usage: of } = (await response.json()) as { usage: { prompt_tokens: number } };
      assert.equal((await usage(key)).used, of.prompt_tokens);
      await services.organizations.setTier(orgId, 'texts', null);
      assert.equal((await usage(key)).used, 0);
      await services.organizations.setTier(orgId, 'tokens', { amount: 6, window: 'day' });
      assert.equal((await usage(key)).used, of.prompt_tokens);
    });

    it('gives back the units of a request that failed', async () => {
      const { orgId, key } = await organization('tokens');
      const units = { ...noUnits, requests: 1, texts: 1, tokens: 4 };
      const ask = { keyId: 'k', limitsKeyId: 'k', limitsUserId: null, model: 'm', units };
      const taken = await services.ledger.reserve(orgId, ask);
      const settled = await services.ledger.settle(taken, { ...taken.units, tokens: 7 });
      const figures = async () => {
        const { used, totals } = await usage(key);
        return [used, totals.counted_tokens, totals.counted_texts, totals.counted];
      };
      assert.deepEqual(await figures(), [7, 7, 1, 1]);
      await services.ledger.giveBack(settled);
      assert.deepEqual(await figures(), [0, 0, 0, 0]);
    });

    it('raises the alerts that are missing in a sweep', async () => {
      const { orgId, key } = await organization('tokens');
      assert.equal((await embed(key, 'a text')).status, 200);
      await services.alerting.alerts.setSettings(orgId, { thresholds: [1], projection: true });
      const watch = new AlertWatch({
        alerts: services.alerting.alerts,
        usage: services.stores.usage,
        tiers: services.config.tiers,
        nameOf: async () => null,
        onRaised: () => {},
        onError: assert.ifError,
      });
      await watch.sweep(services.clock.now());
      await watch.sweep(services.clock.now());
      const { used } = await usage(key);
      // The tier's threshold is reached whatever the organization wants.
      assert.deepEqual(await alerts(orgId), [
        { threshold: 1, limit: 20, used },
        { threshold: 2, limit: 20, used },
      ]);
    });
  });
}
