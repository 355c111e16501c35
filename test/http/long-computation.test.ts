import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listeningApp } from '../helpers/app.ts';
import { requestEmbeddings } from '../helpers/requests.ts';

test('keeps the connection while an answer is computed for longer than a client may be idle', async () => {
  await using app = await listeningApp({ bounds: { idleTimeoutMs: 50 } });
  const texts = Array.from({ length: 64 }, (_, n) => `${n} ${'long '.repeat(100)}`);
  const beganMs = performance.now();
  const response = await requestEmbeddings(app.address, app.key, texts);
  const { data } = (await response.json()) as { data: unknown[] };
  assert.equal(data.length, texts.length);
  assert.ok(performance.now() - beganMs > 50, 'it was computed too fast to tell');
});
