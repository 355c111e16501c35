import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { missingTool, startPathProxy } from '../deploy/proxies.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/free-port.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { startProviderLibrary } from '../helpers/provider-library.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, signOut } from './dashboard.ts';
import { organizationPages, pagesBeforeSignIn, pagesOfEverybody } from './pages.ts';

for (const [name, takesOff] of [
  ['caddy', true],
  ['nginx', false],
] as const) {
  const skip = withoutBrowser || missingTool(name);
  describe(`below a path that ${name} ${takesOff ? 'takes off' : 'leaves in place'}`, {
    skip,
  }, async () => {
    const port = await freePort();
    const host = `http://127.0.0.1:${port}`;
    const publicUrl = `${host}/embedgate`;
    const directory = untilEnd(temporaryDirectory());
    const claims = { email: 'ada@example.com', email_verified: true, name: 'Ada' };
    const provider = untilEnd(await startProviderLibrary({ claims }, publicUrl));
    const mail = untilEnd(await startMailServer());
    const dashboard = untilEnd(
      await openDashboard({
        environment: {
          PUBLIC_URL: publicUrl,
          TRUSTED_PROXIES: '127.0.0.1',
          SIGN_UP: 'open',
          SMTP_URL: mail.url,
          ...provider.environment,
        },
      }),
    );
    const { app } = dashboard;
    const upstream = `127.0.0.1:${app.port}`;
    untilEnd(await startPathProxy(name, { directory: directory.path, port, upstream, takesOff }));
    const outside: string[] = [];
    const newPage = async (): Promise<Page> => {
      const page = await dashboard.newPage({ baseURL: host });
      page.on('request', (request) => {
        if (request.url().startsWith(host) && !request.url().startsWith(publicUrl))
          outside.push(request.url());
      });
      page.on('requestfailed', (request) => {
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') outside.push(`failed: ${request.url()}`);
      });
      return page;
    };

    test('pages work, and ask for nothing outside of the path', async () => {
      const page = await newPage();
      const visit = async (path: string) => {
        await page.goto(`/embedgate${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        const addresses = await page
          .locator('a[href^="/"]')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
        outside.push(...addresses.filter((href) => !`${href}/`.startsWith('/embedgate/')).map(String));
      };
      // What a page asks for depends on PUBLIC_URL and not on the proxy, so one of them gets every page.
      const [before, behind, ofOrganization] = takesOff
        ? [pagesBeforeSignIn, pagesOfEverybody, organizationPages]
        : [['/login'], ['/account'], ['usage']];
      for (const path of before) await visit(path);
      await page.goto(`/embedgate/organizations/${app.orgId}/keys`);
      await page.waitForURL(`${publicUrl}/login?next=*`);
      await signIn(page, app.administrator);
      await page.waitForURL(`${publicUrl}/organizations/${app.orgId}/keys`);
      for (const path of behind) await visit(path);
      for (const path of ofOrganization) await visit(`/organizations/${app.orgId}/${path}`);
      await page.goto('/embedgate');
      await page.waitForURL(`${publicUrl}/organizations`);
      await page.getByRole('link', { name: 'API documentation' }).click();
      await page.waitForURL(`${publicUrl}/docs`);
      await page.getByRole('link', { name: 'Back to the dashboard' }).click();
      await page.waitForURL(`${publicUrl}/organizations`);
      for (const { name: cookie, path } of await page.context().cookies(`${publicUrl}/v1/auth`))
        assert.match(path, /^\/embedgate/, cookie);
      await signOut(page, 'Administrator');
      await page.waitForURL(`${publicUrl}/login`);
      assert.deepEqual(outside, []);
    });

    test('texts are embedded with the address that the page of a new key shows', async () => {
      const page = await newPage();
      await page.goto(`/embedgate/organizations/${app.orgId}/playground`);
      await signIn(page, app.administrator);
      await page.getByRole('button', { name: 'Embed', exact: true }).click();
      await page.getByRole('table').first().waitFor();
      const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ input: 'a text' });
      const response = await fetch(`${publicUrl}/v1/embeddings`, { method: 'POST', headers, body });
      assert.equal(response.status, 200);
      const description = await fetch(`${publicUrl}/openapi.json`);
      const { servers } = (await description.json()) as { servers: unknown };
      assert.deepEqual(servers, [{ url: '/embedgate' }]);
      assert.deepEqual(outside, []);
    });

    test('a provider leads back to the page, and links in mails lead to theirs', async () => {
      const page = await newPage();
      await page.goto('/embedgate/account');
      await page.getByRole('button', { name: 'Continue with Single sign-on' }).click();
      await page.waitForURL(`${publicUrl}/account`);
      await page.getByText('ada@example.com').first().waitFor();
      const other = await newPage();
      await other.goto('/embedgate/login/forgot');
      await other.getByLabel('Email').fill(claims.email);
      await other.getByRole('button', { name: 'Send link' }).click();
      await eventually(() => mail.mails.length > 0);
      const [link = ''] = /http\S+#token=\S+/.exec(mail.mails[0]!.content) ?? [];
      assert.ok(link.startsWith(`${publicUrl}/reset-password#token=`), link);
      await other.goto(link);
      await other.getByLabel('New password').fill('a password that is new');
      await other.getByRole('button', { name: 'Change password' }).click();
      await other.getByText('Your password has been changed').waitFor();
      assert.deepEqual(outside, []);
    });
  });
}
