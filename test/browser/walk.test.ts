import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, signOut, textOf } from './dashboard.ts';

// One visit from the first sign-in to the sign-out: each test continues where the one before it has ended.

describe('an administrator’s first visit', { skip: withoutBrowser }, async () => {
  let secret: string;
  const dashboard = untilEnd(await openDashboard());
  const page = await dashboard.newPage();
  const embed = async (text: string): Promise<number> =>
    (await requestEmbeddings(dashboard.app.address, secret, text)).status;
  const openTab = (name: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name }).click();
  const used = (): Promise<string> => textOf(page.getByRole('definition').first());

  test('a deep link leads through the sign-in to its page', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.waitForURL('**/login?next=*');
    await signIn(page, { ...dashboard.app.administrator, password: 'not the password' });
    await page.getByRole('alert').getByText('Wrong email or password').waitFor();
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL(`**/organizations/${dashboard.app.orgId}/keys`);
  });

  test('the list leads to the only organization, with its tier and quota', async () => {
    await page.goto('/organizations');
    await page.getByRole('link', { name: 'Default', exact: true }).click();
    await page.waitForURL(`**/organizations/${dashboard.app.orgId}/usage`);
    await page.getByRole('heading', { name: 'Default' }).waitFor();
    await page.getByRole('main').getByText('free', { exact: true }).waitFor();
    await page.getByText('0 of 10,000 requests').waitFor();
    assert.equal(await used(), '0');
  });

  test('a key is created, shown once, and embeds a text', async () => {
    await openTab('Keys');
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByLabel('Name').fill('search indexer');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API Key', exact: true }).click();
    secret = await textOf(page.getByTestId('secret'));
    assert.match(secret, /^sk_[0-9a-f]{64}$/);
    await page.keyboard.press('Escape');
    assert.match(await textOf(page.getByLabel('Example')), new RegExp(`curl .*${secret}`, 's'));
    await page.getByRole('button', { name: 'I’ve saved my key' }).click();
    await page.getByRole('row', { name: /search indexer.*active/ }).waitFor();
    assert.doesNotMatch(await page.content(), new RegExp(secret));
    assert.equal(await embed('a first text'), 200);
  });

  test('a search finds keys, and the address keeps it', async () => {
    const rows = page.getByRole('table', { name: 'API keys' }).getByRole('row');
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('search');
    await page.waitForURL('**/keys?q=search');
    await eventuallyHolds(async () => assert.equal(await rows.count(), 2));
    await page.reload();
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
    await page.getByText('No key matches the search.').waitFor();
  });

  test('the usage has risen, with counted and cached requests apart', async () => {
    assert.equal(await embed('a first text'), 200);
    await openTab('Usage');
    await page.getByText('1 of 10,000 requests').waitFor();
    await page.getByRole('row', { name: /search indexer.* 1 100% – 1 0/ }).waitFor();
    await page.getByRole('application').waitFor();
  });

  test('the history shows one key when it is selected', async () => {
    const chosen = page.getByRole('combobox', { name: 'Key' });
    const counted = page.getByRole('region', { name: 'History' }).getByRole('definition').first();
    assert.equal(await textOf(counted), '1');
    await chosen.selectOption('search indexer');
    await page.waitForURL('**/usage?key=*');
    await eventuallyHolds(async () => assert.equal(await textOf(counted), '1'));
    // The export contains what is shown.
    const key = new URL(page.url()).searchParams.get('key');
    const exported = await page.getByRole('link', { name: 'Export as CSV' }).getAttribute('href');
    assert.equal(new URL(exported ?? '', page.url()).searchParams.get('key_id'), key);
    await page.goBack();
    await eventuallyHolds(async () => assert.equal(await chosen.inputValue(), ''));
  });

  test('the back button leads back, and the address has the period', async () => {
    await page.getByLabel('Period', { exact: true }).selectOption({ index: 1 });
    await page.waitForURL('**/usage?period=*');
    await page.goBack();
    await page.waitForURL('**/usage');
    const period = page.getByLabel('Period', { exact: true });
    await eventuallyHolds(async () => assert.equal(await period.inputValue(), 'last-30-days'));
  });

  test('the usage can be exported', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^usage-.*\.csv$/);
  });

  test('the playground computes once, and takes the second result from the cache', async () => {
    await openTab('Playground');
    for (const outcome of ['computed, counted', 'cached, not counted']) {
      await page.getByRole('button', { name: 'Embed' }).click();
      await page.getByRole('status').getByText(outcome).waitFor();
    }
    const similarities = page.getByRole('table', { name: /Cosine similarity/ });
    assert.equal(await similarities.getByRole('cell', { name: '1.00' }).count(), 3);
    await page.getByText('Headers', { exact: true }).click();
    await page.getByText('x-request-id').waitFor();
    await page.getByRole('group', { name: 'Send with' }).getByText('API key', { exact: true }).click();
    await page.getByRole('textbox', { name: 'API key' }).fill(`sk_${'0'.repeat(64)}`);
    await page.getByRole('button', { name: 'Embed' }).click();
    await page.getByText('Raw', { exact: true }).click();
    await page.getByText('"error":"invalid_api_key"').waitFor();
  });

  test('a revoked key is refused on the next request', async () => {
    await openTab('Keys');
    const row = page.getByRole('row', { name: /search indexer/ });
    await row.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /search indexer.*revoked/ }).waitFor();
    assert.equal(await embed('another text'), 401);
  });

  test('at 80% of a limit that an administrator has set, every page says so until somebody acknowledges it', async () => {
    await openTab('Settings');
    await page.getByRole('combobox', { name: 'Tier' }).selectOption('enterprise');
    await page.getByLabel('Limit', { exact: true }).fill('5');
    await page.getByLabel('Requests').selectOption('month');
    await page.getByRole('button', { name: 'Update tier' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Update tier' }).click();
    await page.getByText('Tier updated.').waitFor();
    for (const text of ['a third text', 'a fourth text']) {
      assert.equal((await requestEmbeddings(dashboard.app.address, dashboard.app.key, text)).status, 200);
    }
    await page.reload();
    await page.getByText('80% of the quota of the month is used.').waitFor();
    await page.getByText(/^4 of 5 used when the alert was raised/).waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await openTab('Alerts');
    for (const percent of [50, 80]) {
      await page.getByRole('row', { name: new RegExp(`^${percent}%.*current.*by Administrator`) }).waitFor();
    }
    assert.equal(await page.getByText('when the alert was raised').count(), 0);
  });

  test('after the sign-out, the pages lead to the sign-in again', async () => {
    await signOut(page, 'Administrator');
    await page.goto('/organizations');
    await page.waitForURL('**/login?next=*');
  });
});
