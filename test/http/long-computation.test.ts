import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listeningApp } from '../helpers/app.ts';
import { rawExchange } from '../helpers/raw-http.ts';
import { requestEmbeddings } from '../helpers/requests.ts';

test('the connection stays while an embedding takes longer than a client may be idle', async () => {
  await using app = await listeningApp({ bounds: { idleTimeoutMs: 50 } });
  const texts = Array.from({ length: 256 }, (_, n) => `${n} ${'long '.repeat(100)}`);
  const beganMs = performance.now();
  const response = await requestEmbeddings(app.address, app.key, texts);
  const { data } = (await response.json()) as { data: unknown[] };
  assert.equal(data.length, texts.length);
  assert.ok(performance.now() - beganMs > 50, 'it was computed too fast to tell');
});

test('the connection stays while a pipelined embedding is computed after the previous response was sent', async () => {
  await using app = await listeningApp({ bounds: { idleTimeoutMs: 100 } });
  const texts = Array.from({ length: 256 }, (_, n) => `${n} ${'longer '.repeat(200)}`);
  const request = (input: string | string[], connection: string) => {
    const body = JSON.stringify({ input });
    const head = [
      'POST /v1/embeddings HTTP/1.1',
      'Host: embedgate.test',
      `Authorization: Bearer ${app.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Connection: ${connection}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${body}`;
  };
  // The first request of a service also waits for things other than computation.
  assert.equal((await requestEmbeddings(app.address, app.key, 'warm')).status, 200);
  const beganMs = performance.now();
  const responses = await rawExchange(app.port, request('short', 'keep-alive') + request(texts, 'close'));
  assert.equal(responses.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  assert.equal(responses.match(/"object":"embedding"/g)?.length, 1 + texts.length);
  assert.ok(performance.now() - beganMs > 300, 'it was computed too fast to tell');
});
