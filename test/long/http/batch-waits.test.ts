import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { stoppedClock, TestClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { reply, sound, UpstreamServer } from '../../helpers/upstream-server.ts';

const dayMs = 86_400_000;

describe('a batch without room for its results', async () => {
  const app = untilEnd(await listeningApp({ environment: { FILES_MAX: '3' } }));
  const client = batchClient(app);

  it('is refused, and leaves no file of its requests', async () => {
    const create = () =>
      client.send('POST', '/batches', { endpoint: '/v1/embeddings', requests: [{ body: { input: 'a' } }] });
    assert.equal((await client.ended((await create()).json.id)).status, 'completed');
    assert.equal((await client.send('GET', '/files')).json.data.length, 2);
    assert.equal((await create()).status, 429);
    assert.equal((await client.send('GET', '/files')).json.data.length, 2);
  });
});

describe('a batch of an upstream', async () => {
  const upstream = untilEnd(new UpstreamServer());
  await upstream.listen();
  const { environment } = upstream;
  const clock = stoppedClock();
  const client = batchClient(untilEnd(await listeningApp({ clock, environment })));

  it('makes no error of the lines that it could not run, and runs them when the model is back', async () => {
    assert.equal((await client.send('POST', '/embeddings', { input: 'cached' })).status, 200);
    upstream.otherwise = reply(503);
    const batch = await client.create(jsonl(['cached', 'new'].map((text) => line(text, { input: text }))));
    const now = async () => (await client.send('GET', `/batches/${batch.id}`)).json;
    await eventually(async () => (await now()).waits_for !== null);
    assert.deepEqual([(await now()).status, (await now()).request_counts.failed], ['in_progress', 0]);
    upstream.otherwise = sound;
    await eventually(async () => {
      clock.advance(20_000);
      return (await now()).status === 'completed';
    });
    assert.deepEqual((await now()).request_counts, { total: 2, completed: 2, failed: 0 });
  });

  it('has a result or an error for each line if its time ends while its first ones are computed', async () => {
    assert.equal((await client.send('POST', '/embeddings', { input: 'cached' })).status, 200);
    let refuse: (() => void) | undefined;
    upstream.otherwise = (response) => {
      refuse = () => reply(503)(response);
    };
    // More than a chunk. All but the first line are in the cache.
    const ids = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    const batch = await client.create(
      jsonl(ids.map((id, i) => line(id, { input: i === 0 ? 'newer' : 'cached' }))),
    );
    await eventually(() => refuse !== undefined);
    clock.advance(dayMs + 60_000);
    upstream.otherwise = reply(503);
    refuse?.();
    const now = async () => (await client.send('GET', `/batches/${batch.id}`)).json;
    await eventually(async () => {
      clock.advance(20_000);
      return (await now()).status === 'expired';
    });
    const done = await now();
    const [output, errors] = await Promise.all(
      [done.output_file_id, done.error_file_id].map(async (id: string) =>
        (await client.content(id)).map((row) => [row.custom_id, row.error?.code ?? row.response.status_code]),
      ),
    );
    // Those in the cache have their results.
    assert.deepEqual(
      output,
      ids.slice(1).map((id) => [id, 200]),
    );
    assert.deepEqual(errors, [[ids[0], 'batch_expired']]);
  });
});

describe('a batch whose quota is used up', async () => {
  const clock = new TestClock('2026-11-30T12:00:00Z');
  const app = untilEnd(await listeningApp({ clock }));
  const { organizations, keys, ledger } = app.services;

  /** An organization with a quota of 3 requests, and a batch that has used it up. Its last line needs nothing more. */
  const waiting = async () => {
    const custom = { amount: 3, window: 'month' as const };
    const { orgId } = await organizations.create({ name: 'Waits', tier: 'enterprise', custom });
    const { secret, key } = await keys.create({ orgId, userId: 'u', name: 'k' });
    const client = batchClient({ address: app.address, key: secret });
    const done = ['again', 'one', 'three', 'two'];
    const left = ['five', 'four'];
    const lines = ['one', 'two', 'three', 'four', 'five'].map((text) => line(text, { input: text }));
    const batch = await client.create(jsonl([...lines, line('again', { input: 'one' })]));
    assert.deepEqual([batch.quota.requests, batch.quota.remaining, batch.quota.fits], [6, 3, false]);
    await eventually(async () => (await client.send('GET', `/batches/${batch.id}`)).json.waits_for !== null);
    const { json } = await client.send('GET', `/batches/${batch.id}`);
    assert.match(json.waits_for, /^Monthly quota exhausted/);
    assert.equal(json.status, 'in_progress');
    return { orgId, client, batch, keyId: key.keyId, done, left };
  };
  const idsOf = async (
    client: ReturnType<typeof batchClient>,
    done: { output_file_id: string; error_file_id: string },
  ) => {
    const read = async (id: string) =>
      (await client.content(id)).map((row: { custom_id: string }) => row.custom_id).sort();
    return {
      output: await read(done.output_file_id),
      errors: done.error_file_id && (await read(done.error_file_id)),
    };
  };

  it('waits for the next month, and counts each line once', async () => {
    const { client, batch, orgId, done, left } = await waiting();
    clock.advance(dayMs - 3_600_000);
    const ended = await client.ended(batch.id);
    assert.equal(ended.status, 'completed');
    assert.deepEqual(ended.request_counts, { total: 6, completed: 6, failed: 0 });
    assert.deepEqual((await idsOf(client, ended)).output, [...done, ...left].sort());
    assert.equal((await ledger.readStanding(orgId)).used, 2);
  });

  it('counts each line with several texts once, although it has several chunks in progress when it begins to wait', async () => {
    const custom = { amount: 140, window: 'month' as const };
    const { orgId } = await organizations.create({ name: 'Chunks', tier: 'enterprise', custom });
    const { secret } = await keys.create({ orgId, userId: 'u', name: 'k' });
    const client = batchClient({ address: app.address, key: secret });
    const input = (i: number) => ['a', 'b', 'c'].map((text) => `${i} ${text} `.padEnd(500, 'words '));
    const lines = Array.from({ length: 200 }, (_, i) => line(`${i}`, { input: input(i) }));
    const batch = await client.create(jsonl(lines));
    await eventually(async () => (await client.send('GET', `/batches/${batch.id}`)).json.waits_for !== null);
    await organizations.setTier(orgId, 'enterprise', { amount: 1_000, window: 'month' });
    clock.advance(20_000);
    assert.equal((await client.ended(batch.id)).request_counts.completed, 200);
    assert.equal((await ledger.readStanding(orgId)).used, 200);
  });

  it('expires with what was done, and an error for each other line', async () => {
    const { client, batch, done, left } = await waiting();
    clock.advance(dayMs + 60_000);
    const ended = await client.ended(batch.id);
    assert.equal(ended.status, 'expired');
    assert.ok(ended.expired_at >= ended.expires_at);
    assert.deepEqual(await idsOf(client, ended), { output: done, errors: left });
    const [row] = await client.content(ended.error_file_id);
    assert.deepEqual([row.response, row.error.code], [null, 'batch_expired']);
  });

  it('is cancelled with what was done, and an error for each other line', async () => {
    const { client, batch, done, left } = await waiting();
    const { json } = await client.send('POST', `/batches/${batch.id}/cancel`);
    assert.equal(json.status, 'cancelling');
    const ended = await client.ended(batch.id);
    assert.equal(ended.status, 'cancelled');
    assert.deepEqual(await idsOf(client, ended), { output: done, errors: left });
    assert.equal((await client.content(ended.error_file_id))[0].error.code, 'batch_cancelled');
  });

  for (const isReplaced of [false, true]) {
    const what = isReplaced
      ? 'the key that created it and what replaced it are'
      : 'the key that created it is';
    it(`is cancelled when ${what} revoked`, async () => {
      const { client, batch, orgId, keyId } = await waiting();
      const { secret } = await keys.create({ orgId, userId: 'u', name: 'other' });
      if (isReplaced) await keys.revoke((await keys.rotate(keyId, 3_600_000)).key.keyId);
      await keys.revoke(keyId);
      clock.advance(20_000);
      const ended = await batchClient({ address: app.address, key: secret }).ended(batch.id);
      // Without a valid key, it gets nothing from the cache either.
      assert.deepEqual([ended.status, ended.request_counts.completed], ['cancelled', 3]);
      assert.equal((await client.send('GET', '/batches')).status, 401);
    });
  }
});
