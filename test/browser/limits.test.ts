import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';

// Each test continues where the one before it has ended.

describe('limits in the dashboard', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const pathOf = (page: string): string => `/organizations/${dashboard.app.orgId}/${page}`;
  const { services, orgId } = dashboard.app;
  const { user, password } = await services.users.create({ email: 'owner@example.com', isAdmin: false });
  await services.members.add(orgId, user.userId, 'owner');
  const administrator = await openAs(dashboard.app.administrator);
  const owner = await openAs({ email: user.email, password });

  async function openAs(person: { email: string; password: string }): Promise<Page> {
    const page = await dashboard.newPage();
    await page.goto(pathOf('plan'));
    await signIn(page, person);
    await page.getByRole('region', { name: 'Limits' }).first().waitFor();
    return page;
  }
  const rowOf = (page: Page, name: string | RegExp) => page.getByRole('row', { name });
  const embed = async (...input: string[]): Promise<number> =>
    (await requestEmbeddings(dashboard.app.address, dashboard.app.key, input)).status;
  const add = async (page: Page, unit: string, window: string, amount: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a limit' }).click();
    await page.getByLabel('Counts').selectOption(unit);
    await page.getByLabel('Resets').selectOption(window);
    await page.getByLabel('Amount').fill(amount);
    await page.getByRole('button', { name: 'Add limit' }).click();
  };
  const act = async (page: Page, limit: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions on ${limit}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  test('an administrator adds a limit for the organization, and a second one of the same kind changes its amount', async () => {
    await administrator.getByText('No extra limits. The monthly quota applies.').waitFor();
    await add(administrator, 'Tokens', 'Each month', '100000');
    await rowOf(administrator, /^100,000 tokens per month 0 \(0%\) /).waitFor();
    await administrator.getByRole('dialog').waitFor({ state: 'detached' });
    await add(administrator, 'Tokens', 'Each month', '100001');
    await rowOf(administrator, /^100,001 tokens per month 0 \(0%\) /).waitFor();
    await add(administrator, 'Tokens', 'Each month', '100000');
    await rowOf(administrator, /^100,000 tokens per month 0 \(0%\) /).waitFor();
    await administrator.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('an owner sees the limit of the organization but can’t change it', async () => {
    await owner.reload();
    await rowOf(owner, /^100,000 tokens per month/).waitFor();
    assert.equal(await owner.getByRole('button', { name: /Add a limit|Actions on/ }).count(), 0);
  });

  test('an owner adds a limit for a key, which refuses requests above it', async () => {
    await owner.goto(pathOf('keys'));
    await owner.getByRole('link', { name: 'first key' }).click();
    await owner.getByText('No extra limits. The monthly quota applies.').waitFor();
    await add(owner, 'Texts', 'Each month', '2');
    await rowOf(owner, /^2 texts per month 0 \(0%\) /).waitFor();
    assert.equal(await embed('one text', 'another text'), 200);
    assert.equal(await embed('a third text'), 429);
  });

  test('an owner changes the amount, and the next request is served', async () => {
    await rowOf(owner, /^2 texts per month 2 \(100%\) /).waitFor();
    assert.deepEqual(await accessibilityFaults(owner), []);
    await act(owner, '2 texts per month', 'Change amount…');
    await owner.getByText('Used in the current month: 2 texts.').waitFor();
    await owner.getByLabel('Amount').fill('4');
    await owner.getByRole('button', { name: 'Change amount' }).click();
    await rowOf(owner, /^4 texts per month 2 \(50%\) /).waitFor();
    assert.equal(await embed('a third text'), 200);
  });

  test('the usage page shows the models and the limits', async () => {
    const { address, key } = dashboard.app;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const unknown = JSON.stringify({ model: 'no-such-model', input: 'a text' });
    await fetch(`${address}/v1/embeddings`, { method: 'POST', headers, body: unknown });
    await owner.goto(pathOf('usage?tab=models'));
    const { models } = dashboard.app.services;
    const byModel = owner.getByRole('table', { name: 'Usage by model' });
    await byModel
      .getByRole('row', { name: new RegExp(`^${models.default.served.model.name} 2 0 1 3 [1-9][0-9]*$`) })
      .waitFor();
    await byModel.getByRole('row', { name: 'Unknown 0 0 1 0 0' }).waitFor();
    await owner.getByText(/^Unknown: requests that failed before/).waitFor();
    await owner.getByRole('main').getByRole('link', { name: 'Limits' }).click();
    await rowOf(owner, /^100,000 tokens per month [1-9][0-9]* /).waitFor();
    assert.deepEqual(await accessibilityFaults(owner), []);
  });

  test('a limit is removed after a confirmation, and the focus stays in the page', async () => {
    await owner.goto(pathOf('keys'));
    await owner.getByRole('link', { name: 'first key' }).click();
    await act(owner, '4 texts per month', 'Remove');
    const confirm = owner.getByRole('alertdialog', { name: 'Remove the limit of 4 texts per month?' });
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await rowOf(owner, /^4 texts per month/).waitFor();
    await act(owner, '4 texts per month', 'Remove');
    await confirm.getByRole('button', { name: 'Remove' }).click();
    await owner.getByText('No extra limits. The monthly quota applies.').waitFor();
    await owner.getByRole('main').and(owner.locator(':focus')).waitFor();
    assert.equal(await embed('a fourth text', 'a fifth text', 'a sixth text'), 200);
  });

  test('an owner limits a member and every new key, and the dialog for a new key says so', async () => {
    const page = await openAs({ email: user.email, password });
    await page.goto(pathOf('members'));
    await page.getByRole('button', { name: 'Limits of owner@example.com' }).click();
    await add(page, 'Tokens', 'Each day', '900');
    await rowOf(page, /^900 tokens per day 0 \(0%\) /).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.goto(pathOf('keys'));
    await page.getByRole('link', { name: 'Limits for new keys' }).click();
    await add(page, 'Requests', 'Each minute', '60');
    await rowOf(page, /^60 requests per minute/).waitFor();
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByText('It gets the limits for new keys: 60 requests per minute.').waitFor();
    await page.getByLabel('Name').fill('a limited one');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API Key' }).click();
    await page.getByRole('button', { name: 'I’ve saved my key' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('link', { name: 'a limited one' }).click();
    await rowOf(page, /^60 requests per minute 0 \(0%\) /).waitFor();
  });

  test('an owner adds a limit above which requests wait, which only short windows offer', async () => {
    await owner.getByRole('button', { name: 'Add a limit' }).click();
    const wait = owner.getByLabel('Longest wait in seconds');
    assert.equal(await wait.count(), 0);
    await owner.getByLabel('Resets').selectOption('Each second');
    await wait.fill('61');
    await owner.getByLabel('Amount').fill('1');
    await owner.getByRole('button', { name: 'Add limit' }).click();
    assert.equal(await wait.evaluate('document.activeElement.validity.rangeOverflow'), true);
    await wait.fill('30');
    assert.deepEqual(await accessibilityFaults(owner), []);
    await owner.getByRole('button', { name: 'Add limit' }).click();
    await rowOf(owner, /^1 request per second requests wait up to 30 s 0 \(0%\) Every second/).waitFor();
    const texts = ['a first text that waits', 'a second one', 'a third one'];
    assert.deepEqual(await Promise.all(texts.map((text) => embed(text))), [200, 200, 200]);
  });

  test('an owner finds the limits that are nearly used up, in the list of keys too, and the address keeps the filters', async () => {
    assert.equal(await embed('a seventh text'), 200);
    await owner.goto(pathOf('limits'));
    await rowOf(owner, /^owner@example.com|^New keys 60/)
      .first()
      .waitFor();
    await owner.getByLabel('Whose limits').selectOption('Keys');
    await owner.getByLabel('Unit').selectOption('Requests');
    await owner.waitForURL('**/limits?of=key&unit=requests');
    await owner.reload();
    await rowOf(owner, /^Key first key 1 request per second/).waitFor();
    assert.equal(await rowOf(owner, /tokens/).count(), 0);
    assert.deepEqual(await accessibilityFaults(owner), []);
    await owner.getByRole('link', { name: 'Key a limited one' }).click();
    await rowOf(owner, /^60 requests per minute/).waitFor();
    await owner.goto(pathOf('limits?used=100'));
    await owner.getByText('No limit matches the filters.').waitFor();
    await owner.getByRole('button', { name: 'Clear filters' }).click();
    await owner.waitForURL('**/limits');
    await owner.goto(pathOf('keys'));
    await rowOf(owner, /a limited one/)
      .getByText('0%')
      .waitFor();
  });

  test('an administrator sees those of all organizations, and goes to where one is set', async () => {
    await administrator.getByRole('navigation', { name: 'Service' }).getByText('Limits').click();
    await rowOf(
      administrator,
      /^Default Key a limited one 60 requests per minute 0 0% Every minute$/,
    ).waitFor();
    await rowOf(administrator, /^Default New keys 60 requests per minute$/)
      .getByRole('link', { name: 'New keys' })
      .click();
    await rowOf(administrator, /^60 requests per minute/).waitFor();
  });
});
