import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listeningApp } from '../../helpers/app.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { sound, UpstreamServer } from '../../helpers/upstream-server.ts';

/** So long that a busy machine sends and reads a request in much less time. */
const idleTimeoutMs = 1_000;

/** A service whose embeddings take longer than a client may be idle, unless they are cached. */
async function slowService(opened: AsyncDisposableStack) {
  const upstream = opened.use(await new UpstreamServer().listen());
  const app = opened.use(
    await listeningApp({
      bounds: { idleTimeoutMs },
      environment: { EMBEDDING_UPSTREAM_URL: upstream.url, EMBEDDING_MODEL: 'slow' },
    }),
  );
  upstream.otherwise = async (response, request) => {
    await setTimeout(2 * idleTimeoutMs);
    sound(response, request);
  };
  return app;
}

test('the connection stays while an embedding takes longer than a client may be idle', async () => {
  await using opened = new AsyncDisposableStack();
  const app = await slowService(opened);
  const response = await requestEmbeddings(app.address, app.key, ['one', 'two']);
  const { data } = (await response.json()) as { data: unknown[] };
  assert.equal(data.length, 2);
});

test('the connection stays while a pipelined embedding is computed after the previous response was sent', async () => {
  await using opened = new AsyncDisposableStack();
  const app = await slowService(opened);
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
  // The first of the pipelined requests then takes its vector from the cache.
  assert.equal((await requestEmbeddings(app.address, app.key, 'short')).status, 200);
  const responses = await rawExchange(
    app.port,
    request('short', 'keep-alive') + request(['one', 'two'], 'close'),
  );
  assert.equal(responses.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  assert.equal(responses.match(/"object":"embedding"/g)?.length, 3);
});
