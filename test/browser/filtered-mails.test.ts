import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Browser } from '../helpers/browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard } from './dashboard.ts';

const host = 'embedgate.example';
const publicUrl = `http://${host}`;

/** What mail filters make of a link, and what its reader then enters by hand, of the mail's code and link. */
const filters: Readonly<Record<string, { link: (link: string) => string; entered?: 'code' | 'link' }>> = {
  nothing: { link: (link) => link },
  'a link without its fragment': { link: (link) => link.replace(/#.*/, ''), entered: 'code' },
  'a link without its fragment, and the text of the link is pasted': {
    link: (link) => link.replace(/#.*/, '?p=1'),
    entered: 'link',
  },
  'an encoded #': { link: (link) => link.replace('#', '%23') },
  'an encoded # and =': { link: (link) => link.replace('#token=', '%23token%3D') },
  'an encoded # behind parameters': { link: (link) => link.replace('#', '?utm_source=mail%23') },
  'parameters before the fragment': { link: (link) => link.replace('#', '?utm_source=mail#') },
  'parameters behind the fragment': { link: (link) => `${link}&utm_source=mail` },
  'a second question mark': { link: (link) => `${link}?utm_source=mail` },
};

describe('a mailed link that a filter has changed', { skip: withoutBrowser }, async () => {
  const mail = untilEnd(await startMailServer());
  const environment = { SMTP_URL: mail.url, PUBLIC_URL: publicUrl };
  const dashboard = untilEnd(
    await openDashboard({ environment }, [`--host-resolver-rules=MAP ${host} 127.0.0.1`]),
  );
  const { app } = dashboard;
  const admin = await new Browser(app.address, publicUrl).signIn(app.administrator);
  const org = `/v1/organizations/${app.orgId}`;
  await admin.ask(201, 'POST', `${org}/invitations`, { email: 'grace@example.com', role: 'member' });
  await admin.ask(201, 'POST', '/v1/users', { email: 'ada@example.com' });
  await admin.ask(200, 'POST', '/v1/auth/password/forgot', { email: 'ada@example.com' });
  await admin.ask(201, 'POST', `${org}/alerts/targets`, { kind: 'email', address: 'ops@example.com' });
  /** Returns the link and the code of the mail to an address, as its reader sees them. */
  const mailTo = async (address: string) => {
    const found = () => mail.mails.find(({ to }) => to.includes(address))?.content;
    await eventually(() => found() !== undefined);
    const content = found()!;
    assert.match(content, /^Auto-Submitted: auto-generated\r$/im);
    const [link = ''] = /http:\S+#token=\S+/.exec(content) ?? [];
    const [, page = '', code = ''] = /open (\S+) and enter this code:\s+(\S+)/.exec(content) ?? [];
    assert.equal(`${page}#token=${code}`, link);
    return { link, code };
  };

  for (const [address, next] of [
    ['grace@example.com', (page: Page) => page.getByText('Join Default as member')],
    ['ada@example.com', (page: Page) => page.getByLabel('New password')],
    ['ops@example.com', (page: Page) => page.getByRole('button', { name: 'Confirm' })],
  ] as const)
    for (const [name, { link: filtered, entered }] of Object.entries(filters))
      test(`leads ${address} on after ${name}`, async () => {
        const mailed = await mailTo(address);
        const page = await dashboard.newPage({ baseURL: publicUrl });
        // The service's own port, which a proxy would hide.
        await page.route(`${publicUrl}/**`, async (route) => {
          const url = route.request().url().replace(publicUrl, app.address);
          await route.fulfill({ response: await route.fetch({ url }) });
        });
        await page.goto(filtered(mailed.link));
        if (entered) {
          await page.getByLabel('Code').fill(`${mailed[entered]} `);
          await page.getByRole('button', { name: 'Continue' }).click();
        }
        await next(page).waitFor();
        await page.close();
      });
});
