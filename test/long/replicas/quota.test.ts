import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Answer, FastClient } from '../../helpers/fast-client.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { type OwnPostgres, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../../helpers/replicas.ts';

const clients = 64;
/** `QUOTA_LIMIT=5000 npm run test:long -- replicas/quota` takes some minutes. It is a multiple of 20. */
const limit = Number(process.env.QUOTA_LIMIT ?? 1_000);

/** What a request costs by the prices of each model, in millionths. */
const costs = {
  small: (tokens: number) => Math.ceil((3 * tokens + 4_000) / 10),
  large: (tokens: number) => 2 * tokens + 1_500,
};
const prices = [
  { model: 'small', per_million_tokens: 0.3, per_thousand_requests: 0.4 },
  { model: 'large', per_million_tokens: 2, per_thousand_requests: 1.5 },
];
type Model = keyof typeof costs;

describe(`four replica processes, three keys, a limit of ${limit}`, () => {
  const client = new FastClient();
  const directory = temporaryDirectory();
  let postgres: OwnPostgres;
  let replicas: Replicas;
  before(async () => {
    const models = ['small', 'large'].map((name) => ({ name, model: `./${name}`, workers: 1 }));
    for (const [seed, { model }] of models.entries())
      await writeBertModel(join(directory.path, model), { seed });
    const file = join(directory.path, 'embedgate.json');
    writeFileSync(file, JSON.stringify({ models, prices, currency: 'EUR' }));
    postgres = await startPostgres({ durable: true });
    replicas = await startReplicas(await postgres.createDatabase(), 4, { EMBEDGATE_CONFIG: file });
  });
  after(async () => {
    client[Symbol.dispose]();
    // Those that have started, if another one could not.
    await replicas?.[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  /** Clients that send texts in sequence, each to any running replica, and retry after a 503. */
  async function sendAll(
    requests: number,
    keys: readonly string[],
    addresses: () => readonly string[],
    onGranted: (text: number, answer: Answer) => void,
    modelOf: (text: number) => Model = () => 'small',
  ) {
    const counts = { granted: 0, refused: 0, unavailable: 0, unknown: 0 };
    let next = 0;
    const send = async (text: number): Promise<void> => {
      const open = addresses();
      const answer = await client
        .embed(open[text % open.length]!, keys[text % keys.length]!, `t${text}`, modelOf(text))
        .catch(() => undefined);
      const outcome = answer ? outcomeOf(answer) : 'unknown';
      counts[outcome] += 1;
      if (answer && outcome === 'granted') onGranted(text, answer);
      if (outcome !== 'unavailable') return;
      await setTimeout(50);
      return send(text);
    };
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (next < requests) await send(next++);
      }),
    );
    return counts;
  }

  const addressesOf = () => replicas.services.map(({ address }) => address);
  const accountsOf = async (address: string, key: string) => {
    const { body } = await client.get(`${address}/v1/usage`, key);
    const { used, totals } = JSON.parse(body) as { used: number; totals: { counted: number } };
    return { used, counted: totals.counted };
  };

  test('grant the cost of two models exactly, which reports and the limit state as one number', async (t) => {
    const unlimited = { amount: 1_000_000_000, window: 'month' } as const;
    const { orgId, keys } = await newOrganization(replicas.core, unlimited, 3);
    // About half of what all of them cost.
    const amount = 1_000 * limit;
    await replicas.core.limits.add(orgId, { keyId: null, unit: 'cost', window: 'month', amount });
    const granted = { small: 0, large: 0 };
    // Each replica gets both.
    const modelOf = (text: number): Model => (Math.floor(text / 4) % 2 === 0 ? 'small' : 'large');
    const onGranted = (text: number, { body }: Answer) => {
      const { usage } = JSON.parse(body) as { usage: { prompt_tokens: number } };
      granted[modelOf(text)] += costs[modelOf(text)](usage.prompt_tokens);
    };
    const counts = await sendAll(2 * limit, keys, addressesOf, onGranted, modelOf);
    const { body } = await client.get(`${addressesOf()[0]}/v1/organizations/${orgId}/usage`, keys[0]);
    const { totals, models, limits } = JSON.parse(body) as {
      totals: { cost: number };
      models: { model: Model; cost: number }[];
      limits: { unit: string; used: number }[];
    };
    t.diagnostic(`${JSON.stringify(counts)}, ${JSON.stringify(granted)}, used ${totals.cost} of ${amount}`);
    assert.deepEqual(
      limits.map(({ unit, used }) => [unit, used]),
      [['cost', totals.cost]],
    );
    assert.equal(
      models.reduce((sum, { cost }) => sum + cost, 0),
      totals.cost,
    );
    assert.ok(amount - costs.small(100) < totals.cost && totals.cost <= amount);
    // A request that found the database too slow may have been counted without a response.
    const unsure = (counts.unavailable + counts.unknown) * costs.large(100);
    for (const { model, cost } of models)
      assert.ok(granted[model] <= cost && cost <= granted[model] + unsure, `${model}: ${cost} counted`);
  });

  test('never grant more and lose no confirmed request when a replica is killed and Postgres crashes', async (t) => {
    const { keys } = await newOrganization(replicas.core, { amount: limit, window: 'month' }, 3);
    const [victim, ...others] = replicas.services;
    let addresses = addressesOf();
    let granted = 0;
    const sending = sendAll(
      2 * limit,
      keys,
      () => addresses,
      () => {
        granted += 1;
      },
    );
    await eventually(() => granted > limit / 5);
    addresses = others.map(({ address }) => address);
    await victim!.kill('SIGKILL');
    await eventually(() => granted > (2 * limit) / 5);
    await postgres.stop('immediate');
    await postgres.start();
    const counts = await sending;
    const { used, counted } = await accountsOf(addresses[0]!, keys[1]!);
    t.diagnostic(`${JSON.stringify(counts)}, used ${used}`);
    assert.equal(used, counted);
    assert.ok(counts.granted <= used && used <= limit, `${counts.granted} granted, ${used} used`);
    assert.ok(counts.unavailable > 0 && counts.unknown > 0, 'neither fault was met');
    // Requests in progress at the kill or the crash may have been counted without a response.
    assert.ok(used - counts.granted <= counts.unavailable + counts.unknown);
    assert.equal(used, limit);
  });

  test('never exceed one of four overlapping limits when a replica is killed', async (t) => {
    const { core } = replicas;
    const unlimited = { amount: 1_000_000, window: 'month' } as const;
    const { user } = await core.users.create({ email: 'member@example.com', isAdmin: false });
    const { userId } = user;
    const { orgId, keys, keyIds } = await newOrganization(core, unlimited, 3, userId);
    await core.members.add(orgId, userId, 'member');
    const [first, second] = keyIds as [string, string];
    await core.limits.add(orgId, { keyId: null, unit: 'texts', window: 'month', amount: limit });
    await core.limits.add(orgId, { userId, unit: 'requests', window: 'month', amount: limit });
    await core.limits.add(orgId, { keyId: first, unit: 'requests', window: 'month', amount: limit / 5 });
    await core.limits.add(orgId, { keyId: second, unit: 'requests', window: 'month', amount: limit / 4 });
    const [, victim, ...others] = replicas.services;
    let addresses = [victim!, ...others].map(({ address }) => address);
    const granted = [0, 0, 0];
    const sum = () => granted.reduce((total, count) => total + count, 0);
    const sending = sendAll(
      4 * limit,
      keys,
      () => addresses,
      (text) => {
        granted[text % 3]! += 1;
      },
    );
    await eventually(() => sum() > limit / 5);
    addresses = others.map(({ address }) => address);
    await victim!.kill('SIGKILL');
    const counts = await sending;
    t.diagnostic(`${JSON.stringify(counts)}, granted by key ${granted}`);
    assert.ok(counts.unknown > 0, 'the kill met no request');
    const usedOf = async (keyId: string | null, userId: string | null = null) =>
      (await core.limits.list(orgId, { keyId, userId }))[0]!.used;
    assert.equal(await usedOf(null), limit);
    assert.equal(await usedOf(null, userId), limit);
    assert.equal(await usedOf(first), limit / 5);
    assert.equal(await usedOf(second), limit / 4);
    assert.ok(granted[0]! <= limit / 5 && granted[1]! <= limit / 4 && sum() <= limit);
    assert.ok(limit - sum() <= counts.unavailable + counts.unknown, 'more was counted than answered');
    const { used, counted } = await accountsOf(addresses[0]!, keys[2]!);
    assert.deepEqual([used, counted], [limit, limit]);
  });
});

function outcomeOf({ status, body }: Answer): 'granted' | 'refused' | 'unavailable' {
  if (status === 200 && body.includes('"cached":false,')) return 'granted';
  if (status === 429) return 'refused';
  if (status === 503) return 'unavailable';
  throw new Error(`answered ${status}: ${body.slice(0, 200)}`);
}
