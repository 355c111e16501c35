import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { TestClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { postEmbeddings, requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('a limit that paces', async () => {
  const clock = new TestClock('2025-11-21T12:00:00Z');
  const app = untilEnd(await listeningApp({ clock }));

  /** An organization with a limit of requests, and some keys. */
  const limited = async (amount: number, window: 'second' | 'minute', maxWaitMs: number, keys = 1) => {
    const { services } = app;
    const { orgId } = await services.organizations.create({ name: 'Paced', tier: 'scale' });
    const limit = await services.limits.add(orgId, {
      keyId: null,
      unit: 'requests',
      window,
      amount,
      maxWaitMs,
    });
    const created = await Promise.all(
      Array.from({ length: keys }, (_, i) => services.keys.create({ orgId, userId: 'u', name: `key ${i}` })),
    );
    return { orgId, limit, secrets: created.map(({ secret }) => secret) };
  };
  let texts = 0;
  const send = (key: string) => requestEmbeddings(app.address, key, `text ${texts++}`);
  const used = async (orgId: string) => (await app.services.ledger.readStanding(orgId)).used;
  /** Long enough for a request to reach the queue, where nothing happens while the clock stands still. */
  const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
  const waiting = (orgId: string, count: number) =>
    eventually(async () => (await app.services.ledger.readStanding(orgId)).used >= count);

  it('lets requests wait for the next windows, and counts exactly what each allows', async () => {
    const { orgId, secrets } = await limited(3, 'second', 10_000);
    const statuses: number[] = [];
    const all = Array.from({ length: 10 }, async () => statuses.push((await send(secrets[0]!)).status));
    for (const counted of [3, 6, 9, 10]) {
      await waiting(orgId, counted);
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(await used(orgId), counted);
      clock.advance(1_000);
    }
    await Promise.all(all);
    assert.deepEqual(statuses, Array(10).fill(200));
  });

  it('refuses at once what would have to wait longer than it may', async () => {
    const { orgId, secrets } = await limited(1, 'minute', 5_000);
    clock.set('2025-11-21T13:00:10Z');
    assert.equal((await send(secrets[0]!)).status, 200);
    const refused = await send(secrets[0]!);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '50');
    assert.equal(await used(orgId), 1);
  });

  it('takes no unit for a client that has disconnected while it waited', async () => {
    const { orgId, secrets } = await limited(1, 'second', 30_000);
    assert.equal((await send(secrets[0]!)).status, 200);
    const leaving = new AbortController();
    const left = postEmbeddings(app.address, secrets[0]!, { input: 'left' }, leaving.signal);
    await pause();
    const next = send(secrets[0]!);
    await pause();
    leaving.abort();
    await assert.rejects(left);
    await pause();
    clock.advance(1_000);
    assert.equal((await next).status, 200);
    assert.equal(await used(orgId), 2);
  });

  it('lets requests go on soon after it was removed', async () => {
    const { orgId, limit, secrets } = await limited(1, 'minute', 60_000);
    assert.equal((await send(secrets[0]!)).status, 200);
    const waited = send(secrets[0]!);
    await pause();
    await app.services.limits.remove(orgId, limit.limitId);
    clock.advance(1_000);
    assert.equal((await waited).status, 200);
  });

  it('grants a large request in its turn, although small ones keep coming', async () => {
    const { orgId, limit, secrets } = await limited(10, 'second', 60_000, 2);
    await app.services.limits.remove(orgId, limit.limitId);
    const texts = { keyId: null, unit: 'texts', window: 'second', amount: 10, maxWaitMs: 60_000 } as const;
    await app.services.limits.add(orgId, texts);
    let granted = 0;
    const small = () => send(secrets[0]!).then(() => (granted += 1));
    for (let i = 0; i < 15; i += 1) void small();
    await waiting(orgId, 10);
    const large = postEmbeddings(app.address, secrets[1]!, {
      input: Array.from({ length: 10 }, (_, i) => `large ${i}`),
    });
    await pause();
    for (let i = 0; i < 10; i += 1) void small();
    await pause();
    let grantedBefore: number | undefined;
    void large.then(() => {
      grantedBefore = granted;
    });
    while (granted < 25 || grantedBefore === undefined) {
      clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    assert.equal((await large).status, 200);
    assert.ok(grantedBefore < 25, `granted after ${grantedBefore} small requests`);
  });

  it('can be set only for windows of a second or a minute', async () => {
    const limit = { keyId: null, unit: 'texts', window: 'hour', amount: 5, maxWaitMs: 1_000 } as const;
    await assert.rejects(app.services.limits.add(app.orgId, limit), { param: 'max_wait_seconds' });
  });
});
