import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { missingTool, startCaddy, startNginx } from '../../deploy/proxies.ts';
import { batchClient } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePorts } from '../../helpers/free-port.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

/** The service counts attempts in windows that begin at multiples of this. */
const windowMs = 600_000;

const programs = {
  Caddy: { start: startCaddy, missing: missingTool('caddy') },
  nginx: { start: startNginx, missing: missingTool('nginx', 'openssl') },
};

for (const [name, { start, missing }] of Object.entries(programs)) {
  describe(`behind ${name}, as deploy/ configures it`, { skip: missing }, async () => {
    const directory = untilEnd(temporaryDirectory());
    const [https = 0, http = 0, port = 0] = await freePorts(3);
    const address = `https://localhost:${https}`;
    const httpPort = http;
    const mail = untilEnd(await startMailServer());
    const service = untilEnd(
      await startService({
        environment: {
          PUBLIC_URL: address,
          TRUSTED_PROXIES: '127.0.0.1',
          SMTP_URL: mail.url,
          PORT: String(port),
        },
      }),
    );
    const upstream = `127.0.0.1:${port}`;
    const proxy = untilEnd(await start({ directory: directory.path, ports: { https, http }, upstream }));
    setDefaultCACertificates([...getCACertificates('default'), proxy.certificate]);

    it('people sign in, with a cookie that is sent over HTTPS only', async () => {
      const page = new Browser(address);
      const response = await page.send('POST', '/v1/auth/sign-in', service.administrator);
      assert.equal(response.status, 200);
      const [cookie = ''] = response.headers.getSetCookie();
      assert.match(cookie, /^__Secure-embedgate\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/);
      const me = await page.ask<{ email: string }>(200, 'GET', '/v1/me');
      assert.equal(me.email, service.administrator.email);
    });

    it('browsers get the dashboard, and are sent from HTTP to HTTPS', async () => {
      const page = await fetch(`${address}/login`);
      assert.equal(page.status, 200);
      assert.match(await page.text(), /<div id="root">/);
      const plain = await fetch(`http://localhost:${httpPort}/login`, { redirect: 'manual' });
      assert.ok([301, 308].includes(plain.status), `${plain.status}`);
      assert.match(plain.headers.get('location') ?? '', /^https:\/\/localhost/);
    });

    it('programs embed texts, and metrics stay private', async () => {
      const answer = await requestEmbeddings(address, service.key, 'over TLS');
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-ratelimit-limit'), '10000');
      for (const path of ['/metrics', '/%6detrics', '/metric%73'])
        assert.equal((await fetch(address + path)).status, 404, path);
      const large = await requestEmbeddings(address, service.key, 'x'.repeat(4 * 2 ** 20));
      assert.equal(large.status, 413);
      assert.equal(((await large.json()) as { error: string }).error, 'payload_too_large');
    });

    it('files larger than any other request are uploaded and downloaded', async () => {
      const client = batchClient({ address, key: service.key });
      const content = 'x'.repeat(20 << 20);
      const { json: file } = await client.upload(content);
      assert.equal(file.bytes, content.length);
      assert.equal((await client.send('GET', `/files/${file.id}/content`)).text, content);
    });

    it('links in mails lead to the proxy', async () => {
      const { email } = service.administrator;
      await new Browser(address).ask(200, 'POST', '/v1/auth/password/forgot', { email });
      await eventually(() => mail.mails.length > 0);
      assert.ok(mail.mails[0]?.content.includes(`${address}/reset-password#token=`));
    });

    it('attempts are bounded by the real address of the client, whatever it claims', async () => {
      const attempt = async (localAddress: string, claimed?: string) => {
        const body = JSON.stringify({ email: 'nobody@example.com', password: 'a guess' });
        const sent = request(`${address}/v1/auth/sign-in`, {
          method: 'POST',
          localAddress,
          family: 4,
          ca: proxy.certificate,
          headers: {
            origin: address,
            'content-type': 'application/json',
            ...(claimed && { 'x-forwarded-for': claimed }),
          },
        }).end(body);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        await text(response);
        return response.statusCode;
      };
      const statuses: unknown[] = [];
      const window = () => Math.floor(Date.now() / windowMs);
      // Again with other addresses if a window ended meanwhile.
      for (let network = 1, begun = 0; begun !== window(); network += 1) {
        begun = window();
        statuses.length = 0;
        for (let i = 0; i < 11; i += 1) statuses.push(await attempt(`127.0.${network}.2`));
        statuses.push(await attempt(`127.0.${network}.2`, '203.0.113.7'));
        statuses.push(await attempt(`127.0.${network}.3`));
      }
      assert.deepEqual(statuses, [...new Array(10).fill(401), 429, 429, 401]);
    });
  });
}
