import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { statusWith } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, styleOf, textOf } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';

// Each test continues where the one before it has ended.

describe('the keys of an organization', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services } = dashboard.app;
  for (const name of ['website', 'website test', 'search', 'search test']) {
    await services.keys.create({ orgId, userId: administrator.userId, name });
  }
  const page = await dashboard.newPage();
  await page.goto(`/organizations/${orgId}/keys`);
  await signIn(page, administrator);
  const names = page.getByRole('table', { name: 'API keys' }).getByRole('row').getByRole('link');
  const assertNames = (...expected: string[]): Promise<void> =>
    eventuallyHolds(async () => assert.deepEqual((await names.allTextContents()).sort(), expected));

  test('are revoked together when several are selected', async () => {
    await page.getByLabel('Select website test').check();
    await page.getByLabel('Select search test').check();
    await page.getByRole('button', { name: 'Revoke 2' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke 2 keys?' });
    await dialog.getByText(/(website|search) test, (website|search) test\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Revoke 2 keys' }).click();
    await dialog.waitFor({ state: 'detached' });
    await assertNames('first key', 'search', 'website');
    assert.equal(await page.getByRole('button', { name: /^Revoke \d/ }).count(), 0);
  });

  test('are shown by their status, which a search and an order keep', async () => {
    const choice = (name: string) => page.getByRole('group', { name: 'Which keys' }).getByText(name);
    await choice('Active 3').waitFor();
    await choice('Revoked 2').click();
    await page.waitForURL('**/keys?status=revoked');
    await assertNames('search test', 'website test');
    await page.getByLabel('Search keys').fill('web');
    await assertNames('website test');
    await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click();
    await page.waitForURL('**/keys?*sort=created*');
    await page.reload();
    await assertNames('website test');
    assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
      q: 'web',
      sort: 'created',
      status: 'revoked',
    });
    await page.getByLabel('Search keys').fill('nothing like it');
    await page.getByText('No key matches the search.').waitFor();
    await page.getByLabel('Search keys').fill('');
    await choice('All 5').click();
    await assertNames('first key', 'search', 'search test', 'website', 'website test');
  });

  test('are handed over by a link, whose first visitor gets a new secret', async () => {
    const { key, secret } = await services.keys.create({
      orgId,
      userId: administrator.userId,
      name: 'for Bea',
    });
    await page.goto(`/organizations/${orgId}/keys/${key.keyId}`);
    await page.getByRole('button', { name: 'Hand over' }).click();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const link = await page.getByTestId('secret').textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    const visitor = await dashboard.newPage();
    await visitor.goto(link!);
    assert.equal(await statusWith(dashboard.app.address, secret), 200);
    await visitor.getByRole('button', { name: 'Show the key' }).click();
    const handed = await visitor.getByTestId('secret').textContent();
    await visitor.getByRole('heading', { name: 'Your key “for Bea”' }).waitFor();
    assert.deepEqual(
      [await statusWith(dashboard.app.address, handed!), await statusWith(dashboard.app.address, secret)],
      [200, 401],
    );
    await visitor.goto('about:blank');
    await visitor.goto(link!);
    await visitor.getByRole('button', { name: 'Show the key' }).click();
    await visitor.getByText('This link was opened before, or has expired.').waitFor();
    await page.goto(`/organizations/${orgId}/keys`);
  });

  test('can get a limit while they are created', async () => {
    await page.getByRole('button', { name: 'Create API Key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create API Key' });
    await dialog.getByLabel('Name').fill('nightly batch');
    await dialog.getByLabel('Request limit').fill('250');
    await dialog.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByRole('button', { name: 'I’ve saved my key' }).click();
    await page.getByRole('link', { name: 'nightly batch' }).click();
    await page.getByRole('table', { name: 'Limits' }).getByText('250 requests per day').waitFor();
  });

  test('can do less, as chosen while they are created', async () => {
    await page.goto(`/organizations/${orgId}/keys?create=yes`);
    const dialog = page.getByRole('dialog', { name: 'Create API Key' });
    await dialog.getByLabel('Name').fill('crawler');
    await dialog.getByText('Scopes, models and networks').click();
    await dialog.getByLabel('Rerank documents').uncheck();
    await dialog.getByText('Only these').click();
    await dialog.getByLabel('all-MiniLM-L6-v2').check();
    const create = dialog.getByRole('button', { name: 'Create API Key' });
    await dialog.getByLabel('Networks').fill('127.0.0.0/8, office');
    await create.click();
    await dialog.getByRole('alert').getByText('must be addresses or networks').waitFor();
    await dialog.getByLabel('Networks').fill('127.0.0.0/8, 2001:db8::/32');
    await create.click();
    await page.getByRole('button', { name: 'I’ve saved my key' }).click();
    await page.getByRole('link', { name: 'crawler' }).click();
    await page.getByText('embed, batch, read', { exact: true }).waitFor();
    await page.getByText('127.0.0.0/8, 2001:db8::/32', { exact: true }).waitFor();
    await page.getByText('all-MiniLM-L6-v2', { exact: true }).waitFor();
  });

  test('are paused, resumed and changed on their page', async () => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Pause').click();
    const dialog = page.getByRole('alertdialog', { name: 'Pause “crawler”?' });
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Paused', { exact: true }).waitFor();
    assert.equal(await button('Rotate').count(), 0);
    await button('Resume').click();
    await page.getByText('Active', { exact: true }).waitFor();
    await button('Edit').click();
    const edit = page.getByRole('dialog');
    await edit.getByLabel('Name').fill('indexer');
    await edit.getByLabel('Expires on (UTC)').fill('2030-01-31');
    await edit.getByText('Scopes, models and networks').click();
    await edit.getByLabel('Send batches and files').uncheck();
    await edit.getByLabel('Networks').fill('10.0.0.0/8');
    assert.deepEqual(await accessibilityFaults(page), []);
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'indexer' }).waitFor();
    await page.getByText('embed, read', { exact: true }).waitFor();
    await page.getByText('10.0.0.0/8', { exact: true }).waitFor();
    await page.getByText('Jan 31, 2030').waitFor();
    await page.getByText('all-MiniLM-L6-v2', { exact: true }).waitFor();
  });

  test('are marked among those that they have replaced', async () => {
    const by = administrator.userId;
    const { key } = await services.keys.create({ orgId, userId: by, name: 'old one' });
    const { key: next } = await services.keys.rotate(key.keyId, 60_000);
    await page.goto(`/organizations/${orgId}/keys/${next.keyId}`);
    const links = page.getByRole('definition').getByRole('list').getByRole('link');
    await links.nth(1).waitFor();
    const lines = await Promise.all((await links.all()).map((link) => styleOf(link, 'text-decoration-line')));
    assert.deepEqual(lines, ['underline', 'none']);
  });

  test('of the installation have the chosen scopes, and are rotated and revoked', async () => {
    await page.getByRole('navigation', { name: 'Service' }).getByText('Installation keys').click();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Create API Key').first().click();
    const dialog = page.getByRole('dialog', { name: 'Create API Key' });
    await dialog.getByLabel('Name').fill('backend');
    await dialog.getByLabel('Read the audit log').check();
    await dialog.getByRole('button', { name: 'Create API Key' }).click();
    const secret = await textOf(page.getByTestId('secret'));
    await button('I’ve saved my key').click();
    const row = page.getByRole('row', { name: /backend/ });
    await row.getByText('read, audit').waitFor();
    const statusOf = (key: string) => statusWith(dashboard.app.address, key, '/v1/audit');
    assert.equal(await statusOf(secret), 200);
    await button('Rotate backend').click();
    await button('Rotate key').click();
    const next = await textOf(page.getByTestId('secret'));
    await button('I’ve saved my key').click();
    assert.equal(await statusOf(next), 200);
    await row.nth(1).waitFor();
    await button('Revoke backend').last().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    // Behind the dialog, rows have no role.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await row.nth(1).waitFor({ state: 'detached' });
    assert.deepEqual([await statusOf(next), await statusOf(secret)], [200, 401]);
  });
});
