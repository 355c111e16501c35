import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';

type Refusal = { status: number | undefined; message: string };

describe('the parts of a request that an error repeats', () => {
  let app: ListeningApp;
  before(async () => {
    app = await listeningApp();
  });
  after(() => app[Symbol.asyncDispose]());

  const post = (path: string, headers: Record<string, string>, body: object) =>
    new Promise<Refusal>((resolve, reject) => {
      const { port } = app;
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, async (response) => {
        const { message } = JSON.parse(await text(response)) as { message: string };
        resolve({ status: response.statusCode, message });
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });

  it('have at most 200 characters of a host or an origin', async () => {
    const { cookie } = await new Browser(app.address).signIn(app.administrator);
    const long = `${'a'.repeat(60)}.`.repeat(100);
    const json = { 'content-type': 'application/json', cookie };
    for (const headers of [
      { ...json, host: `${long}example.com` },
      { ...json, host: 'example.com', origin: `https://${long}example.com` },
    ]) {
      const { status, message } = await post('/v1/organizations', headers, { name: 'x' });
      assert.equal(status, 403);
      assert.match(message, /^A request with a session must come from http/);
      assert.ok(message.length < 800, String(message.length));
    }
  });

  it('have no control characters of a model\u2019s name', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${app.key}` };
    const model = 'a\u001b[31m\u0000\r\n\u0085\u202eb';
    const { status, message } = await post('/v1/embeddings', headers, { input: 'x', model });
    assert.equal(status, 400);
    assert.ok(message.startsWith(`model "a\ufffd[31m${'\ufffd'.repeat(5)}b" is not served here`), message);
  });
});
