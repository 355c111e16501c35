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
  const standing = () => page.getByRole('region', { name: 'Standing' });

  test('a deep link leads through the sign-in to its page', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.waitForURL('**/login?next=*');
    await signIn(page, { ...dashboard.app.administrator, password: 'not the password' });
    await page.getByRole('alert').getByText('Wrong email or password').waitFor();
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL(`**/organizations/${dashboard.app.orgId}/keys`);
  });

  test('the address of the list shows the only organization, with its quota', async () => {
    await page.goto('/organizations');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Default ?, switch/ }).waitFor();
    await standing().getByText('0of 10,000 requests · 0%').waitFor();
    const marked = page.locator('aside a[aria-current=page]');
    assert.deepEqual(await marked.allTextContents(), ['Usage']);
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
    await page.getByRole('row', { name: /search indexer/ }).waitFor();
    assert.ok(!(await page.content()).includes(secret));
    assert.equal(await embed('a first text'), 200);
  });

  test('the audit log shows in words how the key was created', async () => {
    await openTab('Audit log');
    const row = page.getByRole('row', { name: /created the key search indexer/ });
    await row.getByText('Scopes: embed, rerank, batch, read').waitFor();
    const { email } = dashboard.app.administrator;
    await page.getByRole('button', { name: 'Actor: Anyone' }).click();
    await page.getByRole('option', { name: email }).click();
    await page.getByLabel('What was changed').selectOption('Key');
    await page.getByLabel('From').fill('2026-01-31');
    await page.getByLabel('Search entries').fill('INDEXER');
    await page.waitForURL('**/audit?actor=*&kind=key&from=2026-01-3*&text=INDEXER');
    await page.reload();
    await row.waitFor();
    assert.equal(await page.getByRole('row', { name: /created/ }).count(), 1);
    await page.getByLabel('To', { exact: true }).fill('2026-02-01');
    await page.getByText('No entry matches the filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('navigation', { name: 'Service' }).getByText('Audit log').click();
    await page.getByLabel('What was changed').selectOption('Sign-ins');
    await page
      .getByRole('row', { name: `${email} signed in` })
      .first()
      .waitFor();
    await page
      .getByRole('row', { name: `could not sign in as ${email}` })
      .first()
      .waitFor();
    await page.goBack();
    await openTab('Keys');
  });

  test('the usage has risen, with counted and cached requests apart', async () => {
    assert.equal(await embed('a first text'), 200);
    await openTab('Usage');
    await standing().getByText('1of 10,000 requests').waitFor();
    await page.getByRole('row', { name: /search indexer.* 1 100% – 1 0/ }).waitFor();
    await page.getByRole('application').waitFor();
  });

  test('the page shows one key when it is selected, the export too, and the address keeps it', async () => {
    await page.getByRole('button', { name: 'Key: All keys' }).click();
    await page.getByRole('option', { name: /^search indexer/ }).click();
    await page.waitForURL('**/usage?key=*');
    const key = new URL(page.url()).searchParams.get('key');
    await page.reload();
    await page.getByRole('button', { name: 'Key: search indexer' }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const exported = page.getByRole('menuitem', { name: 'Export as CSV' });
    const address = new URL((await exported.getAttribute('href')) ?? '', page.url());
    assert.equal(address.searchParams.get('key_id'), key);
    const [download] = await Promise.all([page.waitForEvent('download'), exported.click()]);
    assert.match(download.suggestedFilename(), /^usage-.*\.csv$/);
  });

  test('the back button leads back, and the address has the period', async () => {
    await openTab('Usage');
    const period = page.getByLabel('Period', { exact: true });
    await period.selectOption('last-7-days');
    await page.waitForURL('**/usage?*period=last-7-days*');
    await openTab('Keys');
    await page.waitForURL('**/keys');
    await page.goBack();
    await page.waitForURL('**/usage?*period=last-7-days*');
    await eventuallyHolds(async () => assert.equal(await period.inputValue(), 'last-7-days'));
  });

  test('the playground computes once, and takes the second result from the cache', async () => {
    await openTab('Playground');
    await page
      .getByRole('list', { name: 'Tokens of each text' })
      .getByText('of 256 tokens')
      .first()
      .waitFor();
    for (const outcome of ['Counted', 'From the cache, not counted']) {
      await page.getByRole('button', { name: 'Embed', exact: true }).click();
      await page.getByRole('status').getByText(outcome, { exact: true }).waitFor();
    }
    const similarities = page.getByRole('table', { name: /^Cosine similarity/ });
    assert.equal(await similarities.getByRole('cell', { name: '1.00' }).count(), 3);
    const openPart = (name: string): Promise<void> =>
      page.getByRole('navigation', { name: 'Parts of the response' }).getByRole('link', { name }).click();
    await openPart('Headers');
    await page.getByText('x-request-id').waitFor();
    await page.getByRole('group', { name: 'Send with' }).getByText('API key', { exact: true }).click();
    await page.getByRole('textbox', { name: 'API key' }).fill(`sk_${'0'.repeat(64)}`);
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    await page.getByRole('main').getByRole('alert').waitFor();
    await openPart('Response');
    await page.getByText('"error": "invalid_api_key"').waitFor();
  });

  test('a key is revoked on its page, and refused on the next request', async () => {
    await openTab('Keys');
    await page.getByRole('link', { name: 'search indexer' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page
      .getByRole('alertdialog')
      .getByText(/^Last used .*; 2 requests in the last hour/)
      .waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('definition').getByText('Revoked', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Revoke', exact: true }).count(), 0);
    assert.equal(await embed('another text'), 401);
  });

  test('at 80% of a limit that an administrator has set, every page says so until somebody acknowledges it', async () => {
    await openTab('Plan');
    await page.getByRole('button', { name: 'Switch to Enterprise' }).click();
    await page.getByLabel('Requests').fill('5');
    await page.getByLabel('Window').selectOption('month');
    await page.getByRole('button', { name: 'Update plan' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Update plan' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Current' })
      .getByRole('heading', { name: 'Enterprise' })
      .waitFor();
    for (const text of ['a third text', 'a fourth text']) {
      assert.equal((await requestEmbeddings(dashboard.app.address, dashboard.app.key, text)).status, 200);
    }
    const strip = page.getByRole('status').filter({ hasText: '80% of the quota of the month is used.' });
    await strip.getByRole('link', { name: 'See the alert' }).click();
    await page.getByRole('button', { name: /^Acknowledge: 80%/ }).click();
    await strip.waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Alerts' }).getByRole('link', { name: 'History' }).click();
    await page.getByRole('row', { name: /^80%.* 4 of 5 used .*by Administrator/ }).waitFor();
    await page.getByRole('row', { name: /^50%.* used .*by a higher threshold/ }).waitFor();
  });

  test('an administrator suspends the organization with a sentence, which each page shows, and resumes it', async () => {
    await openTab('Settings');
    await page.getByRole('button', { name: 'Suspend: Status' }).click();
    await page.getByLabel('Sentence for its people and programs').fill('The invoice is overdue.');
    await page.getByRole('button', { name: 'Save' }).click();
    const strip = page.getByRole('status').getByText('Suspended: requests with keys');
    await strip.getByText('The invoice is overdue.').waitFor();
    await openTab('Usage');
    await page.getByRole('link', { name: 'Resume it' }).click();
    await page.getByRole('button', { name: 'Change: Status' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await strip.waitFor({ state: 'detached' });
  });

  test('after the sign-out, the pages lead to the sign-in again', async () => {
    await signOut(page, 'Administrator');
    await page.goto('/organizations');
    await page.waitForURL('**/login?next=*');
  });
});
