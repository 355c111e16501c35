import assert from 'node:assert/strict';
import { openAsBlob, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { batchClient, jsonl, line } from '../helpers/batch-client.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgateJson } from '../helpers/embedgate.ts';
import { type RunningService, startService } from '../helpers/service.ts';

const lines = 1_000_000;
const linesPerWrite = 1_000;
const environment = { BATCH_MAX_TEXTS: String(lines), FILES_MAX_GB: '20', EMBEDDING_WORKERS: '' };
const megabyte = 1 << 20;

/** Writes a file of requests, and returns it with its size. */
async function fileOf(path: string, textOf: (i: number) => string): Promise<Blob> {
  await using file = await open(path, 'w');
  for (let start = 0; start < lines; start += linesPerWrite) {
    const some = Array.from({ length: linesPerWrite }, (_, i) =>
      line(String(start + i), { input: textOf(start + i) }),
    );
    await file.write(jsonl(some));
  }
  return openAsBlob(path);
}

async function startLarge(dataDir: string): Promise<RunningService> {
  const service = await startService({ dataDir, environment });
  const tier = ['orgs', 'set-tier', '--org-id', service.orgId, '--tier', 'enterprise'];
  await embedgateJson(tier, service.environment);
  return service;
}

async function begin(client: ReturnType<typeof batchClient>, blob: Blob): Promise<string> {
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', blob, 'large.jsonl');
  const file = await client.send('POST', '/files', form);
  assert.equal(file.status, 200, file.text);
  const batch = await client.send('POST', '/batches', {
    input_file_id: file.json.id,
    endpoint: '/v1/embeddings',
  });
  assert.equal(batch.status, 200, batch.text);
  return batch.json.id;
}

/** Downloads the results, and asserts that each line is there exactly once. Returns the number of bytes. */
async function requireEachLine(
  { address, key }: { address: string; key: string },
  fileId: string,
): Promise<number> {
  const url = `${address}/v1/files/${fileId}/content`;
  const { body, ok } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  assert.ok(ok);
  const seen = new Uint8Array(lines);
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = '';
  for await (const chunk of body!) {
    bytes += chunk.length;
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const [, id] = /^\{"id":"batch_req_\w+","custom_id":"(\d+)","response":\{"status_code":200,/.exec(
        part,
      )!;
      seen[Number(id)]! += 1;
    }
  }
  assert.equal(rest, '');
  assert.ok(seen.every((count) => count === 1));
  return bytes;
}

describe('a batch of 1,000,000 lines', () => {
  it('loses and doubles no line when its process is killed five times', async (t) => {
    using directory = temporaryDirectory();
    let service = await startLarge(directory.path);
    const { key } = service;
    const blob = await fileOf(join(directory.path, 'in.jsonl'), (i) => `text number ${i}`);
    const id = await begin(batchClient(service), blob);
    const startedAt = performance.now();
    for (let kill = 0; kill < 5; kill += 1) {
      await setTimeout(5_000 + Math.random() * 90_000);
      await service.kill('SIGKILL');
      service = await startService({ dataDir: directory.path, environment });
    }
    await using last = service;
    const client = batchClient({ address: last.address, key });
    const done = await client.ended(id);
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.deepEqual(done.request_counts, { total: lines, completed: lines, failed: 0 });
    const bytes = await requireEachLine({ address: last.address, key }, done.output_file_id);
    t.diagnostic(
      `${Math.round(lines / seconds)} texts/s with the restarts, ${Math.round(bytes / megabyte)} MiB of results`,
    );
  });

  it('of 500 MB takes little more memory than the idle service', async (t) => {
    using directory = temporaryDirectory();
    await using service = await startLarge(directory.path);
    const client = batchClient(service);
    // Long texts that come again and again, as in a second run over a corpus.
    const longText = (start: string | number): string => `${start} `.padEnd(400, 'a few words ');
    const blob = await fileOf(join(directory.path, 'in.jsonl'), (i) => longText(i % 1_000));
    const small = jsonl(
      Array.from({ length: 2_000 }, (_, i) => line(`${i}`, { input: longText(`warm ${i}`) })),
    );
    await client.ended((await client.create(small)).id);
    await setTimeout(10_000);
    const resident = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]);
    const idle = resident();
    const peaks: Record<string, number> = {};
    let phase = 'upload';
    const watch = setInterval(() => {
      peaks[phase] = Math.max(peaks[phase] ?? 0, resident());
    }, 100);
    try {
      const id = await begin(client, blob);
      phase = 'run';
      const done = await client.ended(id);
      assert.deepEqual(done.request_counts, { total: lines, completed: lines, failed: 0 });
      phase = 'download';
      await requireEachLine(service, done.output_file_id);
    } finally {
      clearInterval(watch);
    }
    assert.ok(Math.max(...Object.values(peaks)) < 1.5 * idle, JSON.stringify({ idle, ...peaks }));
    const figures = Object.entries(peaks).map(([name, peak]) => `${name} ${(peak / idle).toFixed(2)}`);
    t.diagnostic(
      `${Math.round(blob.size / 1e6)} MB; resident memory ÷ ${Math.round(idle / 1_024)} MiB idle: ${figures.join(', ')}`,
    );
  });
});
