import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, type Json, jsonl, line } from '../../helpers/batch-client.ts';
import { eventually } from '../../helpers/eventually.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { sound, UpstreamServer } from '../../helpers/upstream-server.ts';

const lines = 1_000;

describe('a batch whose lines wait for the model', async () => {
  const upstream = untilEnd(new UpstreamServer());
  await upstream.listen();
  const { environment } = upstream;
  const app = untilEnd(await listeningApp({ environment }));
  const { organizations, keys, ledger, stores } = app.services;
  const { renew } = stores.batches;
  let renewals = 0;
  stores.batches.renew = async (...lease) => {
    renewals += 1;
    return renew(...lease);
  };

  /** Begins a batch with its own key, calls `meanwhile` while the upstream keeps it waiting, and lets it go on. */
  const run = async (
    name: string,
    meanwhile: (
      client: ReturnType<typeof batchClient>,
      id: string,
      keyId: string,
      orgId: string,
    ) => Promise<unknown>,
  ) => {
    const { orgId } = await organizations.create({ name: 'Stops', tier: 'enterprise' });
    const { secret, key } = await keys.create({ orgId, userId: 'u', name: 'sender' });
    const reader = await keys.create({ orgId, userId: 'u', name: 'reader' });
    const client = batchClient({ address: app.address, key: secret });
    let held: (() => void)[] | undefined = [];
    upstream.otherwise = (response: ServerResponse, texts) => {
      if (held) held.push(() => sound(response, texts));
      else sound(response, texts);
    };
    const texts = Array.from({ length: lines }, (_, i) => `${name} ${i}`);
    const { id } = await client.create(jsonl(texts.map((text) => line(text, { input: text }))));
    await eventually(() => held!.length > 0);
    await meanwhile(client, id, key.keyId, orgId);
    for (const go of held) go();
    held = undefined;
    const others = batchClient({ address: app.address, key: reader.secret });
    const done: Json = await others.ended(id);
    const { used } = await ledger.readStanding(orgId);
    return { done, texts, others, orgId, used };
  };
  const stopped = async (...[name, over]: Parameters<typeof run>) => {
    const { done, texts, others, used } = await run(name, over);
    assert.equal(done.status, 'cancelled');
    const { completed, failed } = done.request_counts;
    assert.equal(completed + failed, lines);
    // Those that were in progress, of which 128 are at a time.
    assert.ok(completed >= 1 && completed <= 256, `${completed} completed`);
    assert.equal(used, completed);
    const rows = [
      ...(await others.content(done.output_file_id)),
      ...(await others.content(done.error_file_id)),
    ];
    assert.deepEqual(new Set(rows.map((row) => row.custom_id)), new Set(texts));
    assert.equal(rows.length, lines);
  };

  it('begins no more of them when it was cancelled, and those in progress get their results', () =>
    stopped('cancelled', (client, id) => client.send('POST', `/batches/${id}/cancel`)));

  it('begins no more of them when its key was revoked, as soon as it renews its lease', () =>
    stopped('revoked', async (_client, _id, keyId) => {
      await keys.revoke(keyId);
      const before = renewals;
      await eventually(() => renewals >= before + 2);
    }));

  it('begins no more of them when its key was replaced and then revoked, or the successor lost its rights', async () => {
    const renewed = async (): Promise<void> => {
      const before = renewals;
      await eventually(() => renewals >= before + 2);
    };
    await stopped('replaced', async (_client, _id, keyId) => {
      await keys.rotate(keyId, 0);
      await keys.revoke(keyId);
      await renewed();
    });
    await stopped('narrowed', async (_client, _id, keyId) => {
      const { key } = await keys.rotate(keyId, 0);
      await keys.change(key.keyId, { scopes: ['read'] });
      await renewed();
    });
  });

  it('keeps the vectors of its next lines under the new secret when the old ones are purged', async () => {
    const { done, texts, others, orgId, used } = await run('purged', (_client, _id, _keyId, orgId) =>
      organizations.purgeVectors(orgId),
    );
    assert.equal(done.status, 'completed');
    assert.equal((await others.send('POST', '/embeddings', { input: texts.at(-1) })).status, 200);
    assert.equal((await ledger.readStanding(orgId)).used, used);
  });
});

describe('a batch whose file is being read', async () => {
  const app = untilEnd(await listeningApp());
  const client = batchClient(app);

  it('is cancelled at once, and the next batch of its organization begins', async () => {
    const { fileContents } = app.services;
    const { json: file } = await client.upload(jsonl([line('1', { input: 'a' })]));
    let hasBegun = false;
    Object.assign(fileContents, {
      async *read() {
        hasBegun = true;
        for (;;) {
          yield Buffer.alloc(64 << 10, '\n');
          await setImmediate();
        }
      },
    });
    const { json: endless } = await client.send('POST', '/batches', {
      input_file_id: file.id,
      endpoint: '/v1/embeddings',
    });
    await eventually(() => hasBegun);
    Object.assign(fileContents, { read: Object.getPrototypeOf(fileContents).read });
    assert.equal((await client.send('POST', `/batches/${endless.id}/cancel`)).json.status, 'cancelling');
    assert.equal((await client.ended(endless.id)).status, 'cancelled');
    const next = await client.create(jsonl([line('1', { input: 'b' })]));
    assert.equal((await client.ended(next.id)).status, 'completed');
  });
});
