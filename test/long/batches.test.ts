import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { batchClient, type Json, jsonl, line } from '../helpers/batch-client.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgateJson } from '../helpers/embedgate.ts';
import { eventually } from '../helpers/eventually.ts';
import { openPostgres } from '../helpers/postgres.ts';
import { newOrganization, startReplicas } from '../helpers/replicas.ts';
import { startService } from '../helpers/service.ts';

const lines = 3_000;
const file = jsonl(Array.from({ length: lines }, (_, i) => line(`line ${i}`, { input: `text number ${i}` })));
/** What a crash can count twice: two chunks in progress. */
const inProgress = 1_024;
const kills = 2;

/** Asserts that each line is in the output exactly once. */
async function requireAll(client: ReturnType<typeof batchClient>, done: Json): Promise<void> {
  assert.equal(done.status, 'completed', JSON.stringify(done));
  assert.equal(done.error_file_id, null);
  const rows = await client.content(done.output_file_id);
  assert.equal(new Set(rows.map((row: Json) => row.custom_id)).size, lines);
  assert.equal(rows.length, lines);
}

describe('a batch', () => {
  it('loses and doubles no line when its process is killed twice', async (t) => {
    using directory = temporaryDirectory();
    const first = await startService({ dataDir: directory.path });
    const { key, orgId, environment } = first;
    await embedgateJson(['orgs', 'set-tier', '--org-id', orgId, '--tier', 'scale'], environment);
    const { id } = await batchClient(first).create(file);
    let service = first;
    for (let kill = 0; kill < kills; kill += 1) {
      await setTimeout(400 + Math.random() * 1_200);
      await service.kill('SIGKILL');
      service = await startService({ dataDir: directory.path });
    }
    await using last = service;
    const client = batchClient({ address: last.address, key });
    const done = await client.ended(id);
    await requireAll(client, done);
    const response = await fetch(`${last.address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
    const { used } = (await response.json()) as { used: number };
    assert.ok(used >= lines - done.cached_requests && used <= lines + kills * inProgress, `${used} counted`);
    t.diagnostic(`${used} counted for ${lines} lines, ${done.cached_requests} from the cache`);
  });

  it('never has vectors of two models: it fails when its model changes between its lines', async () => {
    using directory = temporaryDirectory();
    const dataDir = directory.path;
    const first = await startService({ dataDir });
    const { key, orgId, environment } = first;
    await embedgateJson(['orgs', 'set-tier', '--org-id', orgId, '--tier', 'scale'], environment);
    const { id } = await batchClient(first).create(file);
    const begun = batchClient(first);
    await eventually(
      async () => (await begun.send('GET', `/batches/${id}`)).json.request_counts.completed > 0,
    );
    await first.stop();
    await using again = await startService({ dataDir, environment: { EMBEDDING_MAX_TOKENS: '128' } });
    const client = batchClient({ address: again.address, key });
    const done = await client.ended(id);
    assert.deepEqual([done.status, done.errors.data[0].code], ['failed', 'model_changed']);
    const rows = await client.content(done.output_file_id);
    assert.equal(rows.length, done.request_counts.completed);
    assert.equal(new Set(rows.map((row: Json) => row.response.body.fingerprint)).size, 1);
  });

  it('goes on at another replica when its own is killed, and its files are there', async () => {
    await using postgres = await openPostgres();
    await using replicas = await startReplicas(await postgres.createDatabase(), 2);
    const { keys } = await newOrganization(replicas.core, { amount: 1_000_000, window: 'month' }, 1);
    const [first, second] = replicas.services.map(({ address }) => batchClient({ address, key: keys[0]! }));
    const { json: uploaded } = await first!.upload(file);
    const { json: batch } = await second!.send('POST', '/batches', {
      input_file_id: uploaded.id,
      endpoint: '/v1/embeddings',
    });
    const hasBegun = async () =>
      (await first!.send('GET', `/batches/${batch.id}`)).json.request_counts.completed > 0;
    // By the one that answered.
    await eventually(hasBegun);
    await replicas.services[1]!.kill('SIGKILL');
    await requireAll(first!, await first!.ended(batch.id));
  });
});
