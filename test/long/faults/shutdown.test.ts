import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { largeResponse } from '../../faults/large-response.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { apiJson, embedgateJson, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

type Usage = { quota: { used: number }; totals: Record<string, number> };

test('SIGTERM under load completes running requests, writes the counters and exits with 0', async () => {
  using directory = temporaryDirectory();
  const service = await startService({ dataDir: directory.path });
  const { key, orgId, environment } = service;
  for (let i = 0; i < 3; i += 1) await (await requestEmbeddings(service.address, key, 'the same')).json();
  // Large enough to be running when the signal comes, and small enough to end before the service does in any case.
  const inFlight = Array.from({ length: 4 }, (_, request) =>
    requestEmbeddings(
      service.address,
      key,
      Array.from({ length: 100 }, (_, i) => `in flight ${request} ${i}`),
    ),
  );
  await counted(service.address, key, 5);
  const exit = service.kill('SIGTERM');
  const statuses = await Promise.all(inFlight.map(async (response) => (await response).status));
  assert.deepEqual(statuses, [200, 200, 200, 200]);
  assert.deepEqual(await exit, { code: 0, signal: null });
  const databases = readdirSync(directory.path).filter((name) => name.includes('.db'));
  assert.deepEqual(databases.sort(), ['cache.db', 'embedgate.db'], 'each file is complete without its log');
  await assert.rejects(requestEmbeddings(service.address, key, 'afterwards'));

  const usage = await embedgateJson<Usage>(['usage', '--org-id', orgId], environment);
  assert.equal(usage.quota.used, 5);
  const { tokens: _tokens, ...totals } = usage.totals;
  assert.deepEqual(totals, { counted: 5, cached: 2, failed: 0, texts: 403, truncated: 0 });
});

test('an idle connection and requests that wait for a limit, which get 503, do not delay a shutdown by SIGINT', async () => {
  await using service = await startService();
  const { port } = new URL(service.address);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  const limit = JSON.stringify({ unit: 'requests', window: 'minute', amount: 1, max_wait_seconds: 60 });
  await apiJson(['POST', `/v1/organizations/${service.orgId}/limits`, limit], service.environment);
  assert.equal((await requestEmbeddings(service.address, service.key, 'one')).status, 200);
  const waiting = ['two', 'three'].map((text) => requestEmbeddings(service.address, service.key, text));
  await setTimeout(500);
  assert.deepEqual(await service.kill('SIGINT'), { code: 0, signal: null });
  for (const response of await Promise.all(waiting)) assert.equal(response.status, 503);
  socket.destroy();
});

test('a response larger than the buffers is sent completely before the service stops', async () => {
  await using service = await startService();
  const { socket, received } = await largeResponse(service);
  const stopped = service.stop();
  // Idle connections are closed twenty times a second.
  await setTimeout(500);
  socket.resume();
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(received).toString().split('\r\n\r\n');
  assert.equal(body.length, Number(/content-length: (\d+)/i.exec(head)?.[1]));
  assert.deepEqual(await stopped, { code: 0, signal: null });
});

test('a server with OpenAI’s errors uses them from the first byte on, and keeps its data to itself', async () => {
  using parent = temporaryDirectory();
  const dataDir = join(parent.path, 'new');
  const umask = process.umask(0);
  const command = spawnEmbedgate(['serve'], { DATA_DIR: dataDir, PORT: '0', ERROR_FORMAT: 'openai' });
  process.umask(umask);
  const address = await new Promise<string>((resolve) => {
    command.onOutput((stdout) => {
      const [, found] = /listens on (\S+)\n/.exec(stdout) ?? [];
      if (found) resolve(found);
    });
  });
  const answer = await rawExchange(Number(new URL(address).port), 'NONSENSE\r\n\r\n');
  assert.match(
    answer,
    /\{"error":\{"message":"The request is not valid HTTP","type":"invalid_request_error"/,
  );
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  // As a supervisor might that has waited only for this line.
  command.kill('SIGTERM');
  assert.deepEqual(await command.exited, { code: 0, signal: null });
});

/** Waits until the server has accepted this many requests. */
async function counted(address: string, key: string, wanted: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  await eventually(async () => {
    const response = await fetch(`${address}/v1/usage`, { headers });
    return ((await response.json()) as { used: number }).used >= wanted;
  });
}
