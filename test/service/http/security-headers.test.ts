import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';

describe('security headers', () => {
  let app: ListeningApp;
  before(async () => {
    app = await listeningApp({ environment: { PUBLIC_URL: 'https://embed.example.com' } });
  });
  after(() => app[Symbol.asyncDispose]());

  test('responses of the API are not stored or sniffed, and bind the browser to TLS', async () => {
    const responses = [
      await requestEmbeddings(app.address, app.key, 'a text'),
      await fetch(`${app.address}/v1/usage`),
      await fetch(`${app.address}/v1/nowhere`),
      await fetch(`${app.address}/v1/organizations/%ff`),
      await fetch(`${app.address}/health`),
    ];
    for (const { url, headers } of responses) {
      assert.equal(headers.get('cache-control'), 'no-store', url);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', url);
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', url);
    }
    const malformed = await rawExchange(app.port, 'nonsense\r\n\r\n');
    assert.match(malformed, /\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n/);
  });

  test('files of the dashboard keep their own caching', async () => {
    const page = await fetch(`${app.address}/login`);
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    const [asset] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    const { headers } = await fetch(app.address + asset);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  });

  test('without TLS, the response does not bind the browser to TLS', async () => {
    await using plain = await listeningApp();
    const { headers } = await fetch(`${plain.address}/health`);
    assert.equal(headers.get('strict-transport-security'), null);
  });
});
