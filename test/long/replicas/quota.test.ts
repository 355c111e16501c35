import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../helpers/eventually.ts';
import { type Answer, FastClient } from '../../helpers/fast-client.ts';
import { type OwnPostgres, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../../helpers/replicas.ts';

const clients = 64;
/** `QUOTA_LIMIT=5000 npm run test:long -- replicas/quota` takes some minutes. It is a multiple of 20. */
const limit = Number(process.env.QUOTA_LIMIT ?? 1_000);

describe(`three replica processes, three keys, a limit of ${limit}`, () => {
  const client = new FastClient();
  let postgres: OwnPostgres;
  let replicas: Replicas;
  before(async () => {
    postgres = await startPostgres({ durable: true });
    replicas = await startReplicas(await postgres.createDatabase(), 3);
  });
  after(async () => {
    client[Symbol.dispose]();
    // Those that have started, if another one could not.
    await replicas?.[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
  });

  /** Clients that send texts in sequence, each to any running replica, and retry after a 503. */
  async function sendAll(
    requests: number,
    keys: readonly string[],
    addresses: () => readonly string[],
    onGranted: (text: number) => void,
  ) {
    const counts = { granted: 0, refused: 0, unavailable: 0, unknown: 0 };
    let next = 0;
    const send = async (text: number): Promise<void> => {
      const open = addresses();
      const outcome = await client
        .embed(open[text % open.length]!, keys[text % keys.length]!, `t${text}`)
        .then(outcomeOf, () => 'unknown' as const);
      counts[outcome] += 1;
      if (outcome === 'granted') onGranted(text);
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
