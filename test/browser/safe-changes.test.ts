import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askOf } from '../helpers/asks.ts';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { startWebhookReceiver } from '../helpers/webhook-receiver.ts';
import { withoutBrowser } from './chromium.ts';
import { messages, openDashboard, signIn } from './dashboard.ts';

describe('protection from changes by mistake', { skip: withoutBrowser }, async () => {
  const receiver = untilEnd(await startWebhookReceiver());
  const dashboard = untilEnd(await openDashboard({ environment: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } }));
  const path = `/organizations/${dashboard.app.orgId}`;
  const page = await dashboard.newPage();
  await page.goto(`${path}/alerts?tab=rules`);
  await signIn(page, dashboard.app.administrator);
  await page.getByText('Alerts are shown only here.').waitFor();
  const quota = page.getByRole('group', { name: 'Alert when this much of the quota is used' });
  const asked = (name: RegExp) => page.getByRole('alertdialog', { name });

  test('a service without mail offers only webhooks and chats', async () => {
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('URL').waitFor();
    await page.getByText('This service sends no email').waitFor();
    assert.equal(await page.getByRole('dialog').getByRole('radio').count(), 4);
    await page.keyboard.press('Escape');
  });

  test('an invalid threshold is refused with the reason', async () => {
    await quota.getByRole('textbox', { name: 'Add threshold (%)' }).fill('120');
    await quota.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('Enter a whole number from 1 to 100.').waitFor();
    await quota.getByRole('textbox', { name: 'Add threshold (%)' }).fill('75');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('a rule that was changed can be changed back', async () => {
    const { alerts } = dashboard.app.services.alerting;
    const thresholds = async () => (await alerts.settings(dashboard.app.orgId)).thresholds;
    await quota.getByRole('button', { name: 'Add', exact: true }).click();
    await quota.getByRole('switch', { name: '75%' }).waitFor();
    await messages(page).getByText('Saved.').first().waitFor();
    assert.deepEqual(await thresholds(), [50, 75, 80, 90, 100]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await quota.getByRole('switch', { name: '75%' }).waitFor({ state: 'detached' });
    await eventuallyHolds(async () => assert.deepEqual(await thresholds(), [50, 80, 90, 100]));
  });

  test('a test that is sent moves no button', async () => {
    const { channelSetup } = dashboard.app.services.alerting;
    const addresses = [receiver.url, `${receiver.url}/second`];
    for (const address of addresses) {
      const { orgId, administrator } = dashboard.app;
      await channelSetup.create({ orgId, kind: 'webhook', address, createdBy: administrator.userId });
    }
    await page.goto(`${path}/alerts?tab=rules`);
    const buttons = addresses.map((address) =>
      page.getByRole('button', { name: `Send a test to ${address}`, exact: true }),
    );
    // Every part of the page has loaded.
    await quota.getByRole('switch', { name: '100%' }).waitFor();
    await buttons[1]?.waitFor();
    // The whole page, which then can't scroll when its end moves.
    await page.setViewportSize({ width: 1_280, height: 1_600 });
    const places = () => Promise.all(buttons.map((button) => button.boundingBox()));
    const before = await places();
    await buttons[0]?.click();
    await messages(page)
      .getByText(/^A test is on its way/)
      .waitFor();
    assert.deepEqual(await places(), before);
  });

  test('an arrow key on one’s own role asks for confirmation, and Escape keeps the role', async () => {
    const { services, orgId } = dashboard.app;
    const { user, password } = await services.users.create({ email: 'grace@example.com', name: 'Grace' });
    await services.members.add(orgId, user.userId, 'admin');
    const admin = await dashboard.newPage();
    await admin.goto(`${path}/members`);
    await signIn(admin, { email: user.email, password });
    const role = admin.getByLabel('Role of grace@example.com');
    await role.focus();
    await admin.keyboard.press('ArrowUp');
    const dialog = admin.getByRole('alertdialog', { name: 'Change your own role to member?' });
    await dialog.getByText(/You may not be able to undo this yourself\.$/).waitFor();
    await admin.keyboard.press('Escape');
    await role.and(admin.locator(':focus')).waitFor();
    assert.equal(await role.inputValue(), 'admin');
    assert.equal(await services.members.role(orgId, user.userId), 'admin');

    await page.goto(`${path}/members`);
    await page.getByLabel('Role of grace@example.com').selectOption('viewer');
    await asked(/^Change the role of grace@example\.com/)
      .getByRole('button', { name: 'Change role' })
      .click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    assert.equal(await services.members.role(orgId, user.userId), 'viewer');
  });

  test('a warning precedes a lower limit that puts the organization over quota', async () => {
    const { services, orgId } = dashboard.app;
    for (let n = 0; n < 12; n += 1) await services.ledger.reserve(orgId, askOf('a key'));
    await page.goto(`${path}/plan`);
    const update = async (): Promise<void> => {
      await page.getByLabel('Requests').fill('10');
      await page.getByLabel('Window').selectOption('month');
      await page.getByRole('button', { name: 'Update plan' }).click();
    };
    await page.getByRole('button', { name: 'Switch to Enterprise' }).click();
    await update();
    const dialog = asked(/over quota/);
    await dialog.getByText(/12 requests are already used, which is 120% of it\./).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await services.ledger.readStanding(orgId)).limit, 10_000);
    // Back to the page, not to the form.
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Switch to Enterprise' }).click();
    await update();
    await dialog.getByRole('button', { name: 'Update plan' }).click();
    const current = page.getByRole('listitem').filter({ hasText: 'Current' });
    await current.getByRole('heading', { name: 'Enterprise' }).waitFor();
    assert.equal((await services.ledger.readStanding(orgId)).limit, 10);
    // A higher limit needs no confirmation.
    await page.getByRole('button', { name: 'Switch to Pro' }).click();
    await current.getByRole('heading', { name: 'Pro' }).waitFor();
  });

  test('cached vectors are purged after a confirmation, and the next request is computed again', async () => {
    const { address, key } = dashboard.app;
    const isCached = async (): Promise<boolean> =>
      ((await (await requestEmbeddings(address, key, 'a text')).json()) as { cached: boolean }).cached;
    assert.deepEqual([await isCached(), await isCached()], [false, true]);
    await page.goto(`${path}/settings`);
    const button = page.getByRole('button', { name: 'Purge cached vectors' });
    await button.click();
    const dialog = asked(/^Purge the cached vectors of “/);
    await dialog.getByText(/every text is computed and counted again/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await isCached(), true);
    await button.click();
    await dialog.getByRole('button', { name: 'Purge' }).click();
    await messages(page).getByText('The cached vectors have been purged.').waitFor();
    assert.equal(await isCached(), false);
  });
});
