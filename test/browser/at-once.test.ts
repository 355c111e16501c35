import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { messages, openDashboard, signIn, signOut } from './dashboard.ts';

describe('two things that happen at once', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard({ environment: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } }));
  const { app } = dashboard;
  const { orgId, services } = app;
  const own = `/organizations/${orgId}`;
  const page = await dashboard.newPage();
  await page.goto('/account');
  await signIn(page, app.administrator);
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  const dialog = page.getByRole('dialog');

  /** What a colleague does meanwhile. */
  const colleague = async <Body>(method: string, path: string, data: object = {}): Promise<Body> =>
    (await (
      await page.request.fetch(`/v1${own}${path}`, {
        method,
        ...(method !== 'GET' && { data }),
        headers: { origin: app.address },
      })
    ).json()) as Body;
  type Key = { key_id: string; key: string; scopes: string[]; models: string[] | null } & Record<
    'name' | 'expires_at',
    string
  >;
  const newKey = (name: string, more: object = {}) => colleague<Key>('POST', '/keys', { name, ...more });
  const keyNow = ({ key_id }: Key) => colleague<Key>('GET', `/keys/${key_id}`);
  const edit = async ({ key_id }: Key) => {
    await page.goto(`${own}/keys/${key_id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByText('Scopes, models and networks').click();
  };
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  test('saving a key’s name leaves what a colleague has changed meanwhile', async () => {
    const key = await newKey('crawler');
    await edit(key);
    const theirs = { scopes: ['read'], models: ['m'], expires_at: '2027-03-04T05:06:07.000Z' };
    await colleague('PATCH', `/keys/${key.key_id}`, theirs);
    await page.getByLabel('Name', { exact: true }).fill('crawler 2');
    await save();
    const { name, scopes, models, expires_at } = await keyNow(key);
    assert.deepEqual({ name, scopes, models, expires_at }, { name: 'crawler 2', ...theirs });
  });

  test('a scope that is added gives back none that a colleague has removed', async () => {
    const key = await newKey('adder', { scopes: ['embed', 'read'] });
    await edit(key);
    await colleague('PATCH', `/keys/${key.key_id}`, { scopes: ['read'] });
    await dialog.getByLabel('Rerank documents').check();
    await save();
    assert.deepEqual((await keyNow(key)).scopes.sort(), ['read', 'rerank']);
  });

  test('a model that is added loses none when a colleague has allowed all meanwhile', async () => {
    const key = await newKey('models', { models: ['small'] });
    await edit(key);
    await colleague('PATCH', `/keys/${key.key_id}`, { models: null });
    await dialog.getByRole('group', { name: 'Only these models' }).getByRole('checkbox').first().check();
    await save();
    const { models } = await keyNow(key);
    assert.deepEqual([models?.includes('small'), models?.length], [true, 2]);
  });

  test('a key shows the models that it may use, also those that are not served', async () => {
    const key = await newKey('two models', { models: ['small', 'old'] });
    await edit(key);
    const only = dialog.getByRole('group', { name: 'Only these models' });
    for (const name of ['small', 'old']) assert.ok(await only.getByLabel(name).isChecked());
    await only.getByLabel('old').uncheck();
    await save();
    assert.deepEqual((await keyNow(key)).models, ['small']);
    const none = await newKey('no models', { models: [] });
    await edit(none);
    assert.ok(await dialog.getByRole('radio', { name: 'Only these' }).isChecked());
    await dialog.getByText('All models').click();
    await save();
    assert.equal((await keyNow(none)).models, null);
  });

  test('a form that nothing was changed in changes nothing', async () => {
    const limit = await colleague<{ limit_id: string }>('POST', '/limits', {
      unit: 'requests',
      window: 'day',
      amount: 50,
    });
    await page.goto(`${own}/plan`);
    await page.getByRole('button', { name: /^Actions on .*day/ }).click();
    await page.getByRole('menuitem', { name: 'Change amount…' }).click();
    await colleague('PATCH', `/limits/${limit.limit_id}`, { amount: 7 });
    await dialog.getByRole('button', { name: 'Change amount' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await colleague<{ data: { amount: number }[] }>('GET', '/limits');
    assert.deepEqual(
      data.map(({ amount }) => amount),
      [7],
    );
    await page.goto(`${own}/settings`);
    await page.getByRole('button', { name: 'Edit: Name' }).click();
    await colleague('PATCH', '', { name: 'Renamed by a colleague' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit: Name' }).waitFor();
    assert.equal((await services.organizations.get(orgId)).name, 'Renamed by a colleague');
  });

  const settings = () => services.alerting.alerts.settings(orgId);
  const rule = (name: string) => page.getByRole('switch', { name }).first();
  const delayed = async (url: string, method: string, body: () => Promise<void>) => {
    await page.route(url, async (route, request) => {
      if (request.method() === method) await setTimeout(1_500);
      await route.continue();
    });
    await body();
    await page.unroute(url);
  };

  test('switches show their new state at once, and none undoes another or a colleague’s', async () => {
    await page.goto(`${own}/alerts?tab=rules`);
    await rule('50%').waitFor({ state: 'attached' });
    await delayed('**/alerts/settings', 'PUT', async () => {
      await page.getByText('50%', { exact: true }).first().click();
      assert.equal(await rule('50%').isChecked(), false);
      await page.getByText('80%', { exact: true }).first().click();
      await services.alerting.alerts.setSettings(orgId, { keyExpiry: false });
      await eventuallyHolds(async () => {
        const { thresholds, keyExpiry } = await settings();
        assert.deepEqual([[...thresholds], keyExpiry], [[90, 100], false]);
      });
    });
  });

  test('a switch whose change is refused goes back, with the reason', async () => {
    await page.route('**/alerts/settings', (route, request) =>
      request.method() === 'PUT'
        ? route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Not now' } } })
        : route.continue(),
    );
    await page.getByText('90%', { exact: true }).first().click();
    await messages(page).getByText('Not now.').first().waitFor();
    assert.equal(await rule('90%').isChecked(), true);
    await page.unroute('**/alerts/settings');
  });

  /** Each dialog that ends in something that is shown only once. */
  const secrets: Record<
    string,
    { at: string; url: string; open: (page: Page) => Promise<void>; action: string }
  > = {
    'a new key': {
      at: 'Keys',
      url: '**/keys',
      open: async () => {
        await page.getByRole('button', { name: 'Create API Key' }).click();
        await page.getByLabel('Name', { exact: true }).fill('kept');
      },
      action: 'Create API Key',
    },
    'a rotated key': {
      at: 'Keys',
      url: '**/rotate',
      open: () => page.getByRole('button', { name: 'Rotate first key' }).click(),
      action: 'Rotate key',
    },
    'a webhook': {
      at: 'Alerts',
      url: '**/alerts/targets',
      open: async () => {
        await page.getByRole('link', { name: 'Rules and channels' }).click();
        await page.getByRole('button', { name: 'Add a channel' }).click();
        await page.getByLabel('URL').fill('https://example.com/hook');
      },
      action: 'Add',
    },
    'an invitation': {
      at: 'Members',
      url: '**/invitations',
      open: async () => {
        await page.getByRole('button', { name: 'Invite' }).first().click();
        await page.getByLabel('Email').fill('eve@example.com');
      },
      action: 'Invite',
    },
  };
  for (const [what, { at, url, open, action }] of Object.entries(secrets))
    test(`what is shown once of ${what} stays until its reader has saved it`, async () => {
      await page.goto(`${own}/usage`);
      const navigation = page.getByRole('navigation', { name: 'Organization' });
      await navigation.getByRole('link', { name: at }).click();
      await page.getByRole('heading', { name: at, level: 1 }).waitFor();
      await open(page);
      await delayed(url, 'POST', async () => {
        // What the change has made outdated loads for ever.
        await page.route('**/v1/organizations/**', (route) =>
          route.request().method() === 'GET' ? undefined : route.fallback(),
        );
        await dialog.getByRole('button', { name: action, exact: true }).click();
        await dialog.locator('button[aria-busy=true]').waitFor();
        await page.keyboard.press('Escape');
        await page.evaluate('history.back()');
        await page.getByTestId('secret').waitFor();
      });
      await page.unroute('**/v1/organizations/**');
      await page.keyboard.press('Escape');
      await page.evaluate('history.back()');
      const question = page.getByRole('alertdialog', { name: /^Have you saved the/ });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await page.getByTestId('secret').waitFor();
      await dialog.getByRole('button', { name: /^(I’ve saved|Done)/ }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await question.count(), 0);
    });

  test('the log says that a key was paused, or which scope it lacked', async () => {
    const key = await newKey('limited');
    await colleague('PATCH', `/keys/${key.key_id}`, { enabled: false });
    await requestEmbeddings(app.address, key.key, 'paused');
    await colleague('PATCH', `/keys/${key.key_id}`, { enabled: true, scopes: ['read'] });
    await requestEmbeddings(app.address, key.key, 'without the scope');
    await page.goto(`${own}/requests?key=${key.key_id}`);
    await page.getByRole('row').nth(2).waitFor();
    await page.getByRole('row').nth(2).click();
    await dialog.getByText('The key is paused.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row').nth(1).click();
    await dialog.getByText('The key lacks the scope “embed”.').waitFor();
  });

  test('a key that is shown stays when its reader loses the right to create it, or signs out in another tab', async () => {
    await page.goto(`${own}/keys?create=yes`);
    await page.getByLabel('Name', { exact: true }).fill('kept');
    await dialog.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByTestId('secret').waitFor();
    await page.route(`**/v1${own}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), may: [] } });
    });
    // Behind the dialog, it has no role.
    await page.locator('button', { hasText: 'Create API Key' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByTestId('secret').count(), 1);
    const other = await page.context().newPage();
    await other.goto('/account');
    await signOut(other, 'Administrator');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    assert.equal(await page.getByTestId('secret').count(), 1);
  });
});
