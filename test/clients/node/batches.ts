import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';

// Files and batches with OpenAI's SDK, against the service at BASE_URL.

const client = new OpenAI({ baseURL: `${process.env.BASE_URL}/v1`, apiKey: process.env.API_KEY });
const lines = ['a cat', 'a dog'].map((input, i) =>
  JSON.stringify({ custom_id: `${i}`, method: 'POST', url: '/v1/embeddings', body: { input } }),
);
const content = Buffer.from(lines.join('\n'));

const file = await client.files.create({ file: await toFile(content, 'in.jsonl'), purpose: 'batch' });
await client.files.waitForProcessing(file.id);
assert.equal(file.bytes, content.length);

let batch = await client.batches.create({
  input_file_id: file.id,
  endpoint: '/v1/embeddings',
  completion_window: '24h',
  metadata: { corpus: 'animals' },
});
while (batch.status !== 'completed') {
  assert.ok(!['failed', 'expired', 'cancelled'].includes(batch.status), JSON.stringify(batch.errors));
  await setTimeout(50);
  batch = await client.batches.retrieve(batch.id);
}
assert.deepEqual(batch.request_counts, { total: 2, completed: 2, failed: 0 });
const output = await (await client.files.content(batch.output_file_id!)).text();
assert.equal(output.trim().split('\n').length, 2);
const listed = [];
for await (const one of client.batches.list({ limit: 1 })) listed.push(one.id);
assert.deepEqual(listed, [batch.id]);
const names = [];
for await (const one of client.files.list({ limit: 1 })) names.push(one.purpose);
assert.deepEqual(names.sort(), ['batch', 'batch_output']);
await assert.rejects(client.batches.cancel(batch.id), /can’t be cancelled/);
assert.equal((await client.files.delete(file.id)).deleted, true);
