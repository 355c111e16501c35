import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('a batch under a limit that makes requests wait', async () => {
  const clock = stoppedClock();
  const app = untilEnd(await listeningApp({ clock }));
  const { organizations, keys, limits, ledger } = app.services;

  /** An organization with such a limit, and a batch that has used what it may of the first window. */
  const waiting = async (amount: number, window: 'second' | 'minute', lines: number) => {
    clock.nowMs = Math.ceil(clock.nowMs / 60_000) * 60_000;
    const { orgId } = await organizations.create({ name: 'Paced', tier: 'enterprise' });
    const { secret } = await keys.create({ orgId, userId: 'u', name: 'k' });
    await limits.add(orgId, { keyId: null, unit: 'requests', window, amount, maxWaitMs: 30_000 });
    const client = batchClient({ address: app.address, key: secret });
    const texts = Array.from({ length: lines }, (_, i) => `text ${i}`);
    const batch = await client.create(jsonl(texts.map((text) => line(text, { input: text }))));
    const waits = async () => {
      await eventually(
        async () => (await client.send('GET', `/batches/${batch.id}`)).json.waits_for !== null,
      );
      return (await client.send('GET', `/batches/${batch.id}`)).json.waits_for;
    };
    const completed = async () => {
      await eventually(async () => {
        clock.advance(1_000);
        return (await client.send('GET', `/batches/${batch.id}`)).json.status === 'completed';
      });
      const rows = await client.content((await client.ended(batch.id)).output_file_id);
      return rows.map((row) => row.custom_id);
    };
    const used = async () => (await ledger.readStanding(orgId)).used;
    return { client, texts, waits, completed, used };
  };

  it('leaves half of a second’s limit to requests of its own key, and goes on in the next seconds', async () => {
    const { client, texts, waits, completed, used } = await waiting(20, 'second', 300);
    assert.match(await waits(), /^The limit of 20 requests per second leaves room for requests/);
    assert.equal(await used(), 10);
    // The clock stands still, so a request that had to wait for the next second would wait for ever.
    for (let i = 0; i < 10; i += 1)
      assert.equal((await client.send('POST', '/embeddings', { input: `request ${i}` })).status, 200);
    assert.equal(await used(), 20);
    assert.deepEqual((await completed()).toSorted(), texts.toSorted());
    assert.equal(await used(), 310);
  });

  it('uses a minute’s limit no faster than evenly', async () => {
    const { waits, used } = await waiting(60, 'minute', 300);
    await waits();
    assert.equal(await used(), 1);
    clock.advance(20_000);
    await eventually(async () => (await used()) > 1);
    await waits();
    assert.equal(await used(), 20);
  });

  it('goes on under a limit of one request a second', async () => {
    const { waits, completed, used } = await waiting(1, 'second', 3);
    await waits();
    assert.equal(await used(), 1);
    assert.equal((await completed()).length, 3);
    assert.equal(await used(), 3);
  });
});
