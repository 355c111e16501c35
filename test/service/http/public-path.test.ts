import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildApp } from '../../../src/app.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('below the path of PUBLIC_URL', async () => {
  const github = { GITHUB_CLIENT_ID: 'github-client', GITHUB_CLIENT_SECRET: 'secret' };
  const environment = { PUBLIC_URL: 'http://embedgate.test/tools/embedgate', ...github };
  const app = untilEnd(await listeningApp({ environment }));
  const statusOf = async (path: string) => (await fetch(app.address + path, { redirect: 'manual' })).status;

  test('a request has the path, or a proxy has taken it off', async () => {
    for (const path of ['/health', '/tools/embedgate/health', '/tools/embedgate/health?a=b'])
      assert.equal(await statusOf(path), 200, path);
    for (const path of ['/tools/embedgatex/health', '/tools/health', '/tools/embedgate//health'])
      assert.equal(await statusOf(path), 404, path);
    assert.deepEqual([await statusOf('/metrics'), await statusOf('/tools/embedgate/metrics')], [200, 404]);
    for (const path of ['/', '/tools/embedgate', '/tools/embedgate/', '/tools/embedgate?a=b']) {
      const { headers } = await fetch(app.address + path, { redirect: 'manual' });
      assert.equal(headers.get('location'), '/tools/embedgate/organizations', path);
    }
  });

  test('cookies, links and the addresses of a sign-in are below it', async () => {
    const page = new Browser(app.address, 'http://embedgate.test');
    const { email, password, userId } = app.administrator;
    const entered = await page.send('POST', '/v1/auth/sign-in', { email, password });
    assert.deepEqual(
      entered.headers.getSetCookie().map((line) => /^embedgate\.(\w+)=.*Path=([^;]+)/.exec(line)?.slice(1)),
      [
        ['session_token', '/tools/embedgate'],
        ['device', '/tools/embedgate/v1/auth'],
      ],
    );
    const { url } = await page.ask<{ url: string }>(201, 'POST', `/v1/users/${userId}/password-reset`);
    assert.ok(url.startsWith('http://embedgate.test/tools/embedgate/reset-password#token='), url);
    const asked = { provider: 'github' };
    const provider = await page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', asked);
    assert.equal(
      new URL(provider.url).searchParams.get('redirect_uri'),
      'http://embedgate.test/tools/embedgate/auth/callback/github',
    );
    const refused = await page.send('GET', '/auth/callback/github?state=none&code=none');
    assert.equal(refused.headers.get('location'), '/tools/embedgate/login?error=state_mismatch');
  });

  test('that is one of the service’s own ends the start', async () => {
    for (const path of ['/v1', '/embed']) {
      const config = { ...app.services.config, publicUrl: `http://embedgate.test${path}` };
      const message = `PUBLIC_URL: its path ${path} is also one of the service; use another one`;
      await assert.rejects(buildApp({ ...app.services, config }), { message });
    }
  });
});
