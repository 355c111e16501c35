import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { mailedToken, startMailServer } from '../helpers/mail-server.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { startWebhookReceiver } from '../helpers/webhook-receiver.ts';
import { withoutBrowser } from './chromium.ts';
import { messages, openDashboard, signIn, styleOf, textOf } from './dashboard.ts';

describe('an administrator’s alert settings', { skip: withoutBrowser }, async () => {
  let secret: string;
  const receiver = untilEnd(await startWebhookReceiver());
  receiver.answer(200);
  const dashboard = untilEnd(await openDashboard({ environment: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } }));
  const page = await dashboard.newPage();
  await page.goto(`/organizations/${dashboard.app.orgId}/alerts?tab=rules`);
  await signIn(page, dashboard.app.administrator);
  await page.getByText('Alerts are shown only here.').waitFor();
  const openTab = (name: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Alerts' }).getByRole('link', { name }).click();
  const delivered = () => page.getByRole('row', { name: /Test Delivered Status 200/ });

  test('keep thresholds that are switched off and added', async () => {
    const quota = page.getByRole('group', { name: 'Alert when this much of the quota is used' });
    const limits = page.getByRole('group', { name: /of a daily or monthly limit is used$/ });
    const rule = (name: string, of = quota) => of.getByRole('switch', { name });
    const change = async (act: () => Promise<unknown>) => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
      await act();
      assert.equal((await saved).status(), 200);
    };
    const label = (text: RegExp, of: Page | Locator = page) => of.locator('label').filter({ hasText: text });
    await change(() => label(/^50%$/, quota).click());
    await change(() => label(/^90%$/, limits).click());
    await quota.getByLabel('Add threshold (%)').fill('75');
    await change(() => page.keyboard.press('Enter'));
    await change(() => label(/will run out/).click());
    await change(() => label(/before a key expires/).click());
    await page.reload();
    await rule('75%').waitFor();
    assert.equal(await rule('75%').isChecked(), true);
    assert.equal(await rule('50%').isChecked(), false);
    assert.equal(await rule('90%', limits).isChecked(), true);
    assert.equal(await rule('50%', limits).isChecked(), false);
    for (const name of [/will run out/, /before a key expires/])
      assert.equal(await page.getByRole('switch', { name }).isChecked(), false);
  });

  test('refuse an impossible address with the reason', async () => {
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByRole('dialog').getByText('Webhook', { exact: true }).click();
    await page.getByLabel('URL').fill('ftp://example.com/');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('must be an http or https URL').waitFor();
  });

  test('show a webhook’s secret once', async () => {
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    secret = await textOf(page.getByTestId('secret'));
    assert.match(secret, /^whsec_/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I’ve saved the secret' }).click();
    await page.getByRole('row', { name: receiver.url }).waitFor();
    assert.ok(!(await page.content()).includes(secret));
  });

  test('send a test that is signed with that secret, and log it', async () => {
    await page.getByRole('button', { name: `Send a test to ${receiver.url}` }).click();
    await openTab('Deliveries');
    await delivered().waitFor();
    const tabs = page.getByRole('navigation', { name: 'Alerts' }).getByRole('link');
    const weights = await Promise.all((await tabs.all()).map((tab) => styleOf(tab, 'font-weight')));
    assert.deepEqual(weights, ['400', '400', '400', '500'], 'the open tab is marked');
    const [{ body, headers } = assert.fail('nothing was received')] = receiver.received;
    assert.equal((new Webhook(secret).verify(body, headers) as { type: string }).type, 'test');
  });

  test('show what was sent, and send it again under the same id', async () => {
    await delivered().getByRole('button', { name: /^Show/ }).click();
    await page.getByLabel('Message').getByText('This is a test').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await delivered().nth(1).waitFor();
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.ok(first);
    assert.equal(first, second);
  });

  test('delete a target together with its log', async () => {
    await openTab('Rules and channels');
    await page.getByRole('button', { name: `Delete ${receiver.url}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Alerts are shown only here.').waitFor();
    await openTab('Deliveries');
    await page.getByText('Nothing has been sent yet.').waitFor();
  });
});

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
  await page.goto(`/organizations/${dashboard.app.orgId}/alerts?tab=rules`);
  await signIn(page, dashboard.app.administrator);
  const row = () => page.getByRole('table', { name: 'Targets' }).getByRole('row', { name: address });

  test('waits for its confirmation, and the link can be sent again', async () => {
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Email address').fill(address);
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await row().getByText('Waiting for confirmation').waitFor();
    await row().getByRole('button', { name: 'Send the link' }).click();
    await messages(page).getByText(`The link is on its way to ${address}.`).waitFor();
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
