import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { mailedToken } from '../helpers/confirmations.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';

const host = 'embedgate.example';
const address = 'ops@example.com';

describe('an email address for alerts', { skip: withoutBrowser }, async () => {
  let page: Page;
  const mail = untilEnd(await startMailServer());
  const environment = { SMTP_URL: mail.url, PUBLIC_URL: `http://${host}` };
  const dashboard = untilEnd(
    await openDashboard({ environment }, [`--host-resolver-rules=MAP ${host} 127.0.0.1`]),
  );
  const baseURL = `http://${host}`;
  // The service's own port, which a proxy would hide.
  page = await dashboard.newPage({ baseURL });
  await page.route(`${baseURL}/**`, async (route) => {
    const url = route.request().url().replace(baseURL, dashboard.app.address);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`/organizations/${dashboard.app.orgId}/alerts`);
  await signIn(page, dashboard.app.administrator);
  const row = () => page.getByRole('table', { name: 'Targets' }).getByRole('row', { name: address });

  test('waits for its confirmation, and the link can be sent again', async () => {
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Email address').fill(address);
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await row().getByText('Waiting for confirmation').waitFor();
    await row().getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`The link is on its way to ${address}.`).waitFor();
    assert.equal(mail.mails.length, 2);
    assert.equal(await row().getByRole('button', { name: 'Send a test' }).count(), 0);
  });

  test('is confirmed by a click and not by opening the link', async () => {
    const alerts = page.url();
    await page.goto(`/confirm-address#token=${await mailedToken(mail, address)}`);
    const confirm = page.getByRole('button', { name: 'Confirm' });
    await confirm.waitFor();
    const { data } = await dashboard.app.services.alerting.channels.list(dashboard.app.orgId, {});
    assert.equal(data[0]?.confirmedAt, null);
    await confirm.click();
    await page.getByText('Your address is confirmed.').waitFor();
    await page.goto(alerts);
    await row().getByRole('button', { name: 'Send a test' }).waitFor();
    assert.equal(await row().getByText('Waiting for confirmation').count(), 0);
  });
});
