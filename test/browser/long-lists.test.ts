import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';
import { organizationPages } from './pages.ts';

const rowsPerPage = 20;
/** More than two pages. */
const rows = 45;

describe('lists with more rows than a page loads', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services } = dashboard.app;
  for (let i = 0; i < rows; i += 1) {
    const number = String(i).padStart(2, '0');
    await services.organizations.create({ name: i % 2 === 0 ? `Acme ${number}` : `Beta ${number}` });
    await services.keys.create({ orgId, userId: administrator.userId, name: `key ${number}` });
  }
  for (const [email, name] of [
    ['grace@example.com', 'Rear Admiral'],
    ['rosa@example.com', 'Rosa'],
  ] as const) {
    const { user } = await services.users.create({ email, name });
    await services.members.add(orgId, user.userId, 'viewer');
  }
  for (let i = 0; i < rows; i += 1) {
    const { user } = await services.users.create({ email: `user${i}@example.com`, name: `Person ${i}` });
    await services.members.add(orgId, user.userId, 'viewer');
  }
  const page = await dashboard.newPage();
  await page.goto('/organizations');
  await signIn(page, administrator);
  await page.getByRole('article').first().waitFor();

  /** The rows of a table without its header. */
  const rowsOf = (caption: string) =>
    page
      .getByRole('table', { name: caption })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
  /** Reads all rows at once, because a search can replace them meanwhile. */
  const firstCells = (caption: string): Promise<string[]> =>
    rowsOf(caption).locator('td:nth-of-type(1)').allTextContents();

  test('organizations are loaded on request, searched and sorted, and the address keeps it', async () => {
    const cards = page.getByRole('article');
    const names = () => page.getByRole('article').getByRole('heading', { level: 2 }).allTextContents();
    assert.equal(await cards.count(), rowsPerPage);
    const more = page.getByRole('button', { name: 'Load more organizations' });
    await more.focus();
    await page.keyboard.press('Enter');
    await page.getByText('The first 40 organizations').waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Load more');
    await page.keyboard.press('Enter');
    await more.waitFor({ state: 'detached' });
    assert.equal(new Set(await names()).size, rows + 1);

    await page.goto('/organizations');
    await page.getByLabel('Search').pressSequentially('BETA 4');
    await page.waitForURL('**/organizations?q=BETA+4');
    await eventuallyHolds(async () => assert.deepEqual(await names(), ['Beta 41', 'Beta 43']));
    await page.getByLabel('Sort by').selectOption('-name');
    await page.waitForURL('**/organizations?q=BETA+4&sort=-name');
    await page.getByRole('article').first().getByRole('heading', { name: 'Beta 43' }).waitFor();
    await page.reload();
    await cards.nth(1).waitFor();
    assert.deepEqual(await names(), ['Beta 43', 'Beta 41']);
    await page.getByLabel('Search').fill('nothing like it');
    await page.getByText('No organization matches the search.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test('keys are sorted by the headers of their columns', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await rowsOf('API keys').first().getByText('key 44').waitFor();
    assert.equal(await rowsOf('API keys').count(), rowsPerPage);
    const header = (name: string) => page.getByRole('columnheader', { name });
    assert.equal(await header('Created').getAttribute('aria-sort'), 'descending');
    await header('Name').getByRole('button').click();
    await page.waitForURL('**/keys?sort=name');
    await rowsOf('API keys').nth(1).getByText('key 00').waitFor();
    assert.equal(await header('Name').getAttribute('aria-sort'), 'ascending');
    await page.getByRole('button', { name: 'Load more keys' }).click();
    await page.getByText('The first 40 keys').waitFor();
    const cells = await firstCells('API keys');
    assert.match(cells[0]!, /first key/);
    assert.match(cells[39]!, /key 38/);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test('people are found by their address or by their name', async () => {
    for (const [path, caption] of [
      ['/users', 'Users'],
      [`/organizations/${dashboard.app.orgId}/members`, 'Members'],
    ] as const) {
      await page.goto(path);
      const shows = (expected: RegExp) =>
        eventuallyHolds(async () => assert.match((await firstCells(caption)).join(), expected));
      await page.getByLabel('Search', { exact: true }).fill('r');
      await shows(/^Rear Admiral.*,Rosa/);
      await page.getByLabel('Search', { exact: true }).fill('rosa@');
      await shows(/^Rosarosa@example\.com$/);
      assert.deepEqual(await accessibilityFaults(page), []);
    }
  });
});

const widths = [1_440, 375];
const longName = 'organization-with-a-name-that-does-not-break'.repeat(4);
const longKeyName = 'k'.repeat(98);

describe('names of the maximum length', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services, address } = dashboard.app;
  await services.organizations.rename(orgId, longName);
  const { userId } = administrator;
  const { secret } = await services.keys.create({ orgId, userId, name: longKeyName });
  assert.equal((await requestEmbeddings(address, secret, 'a text')).status, 200);
  const page = await dashboard.newPage();
  await page.goto('/login');
  await signIn(page, administrator);
  await page.waitForURL('**/organizations');
  const assertFits = async (what: string): Promise<void> => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(tooWide <= 0, `${what} is ${tooWide} px wider than a window of ${width} px`);
    }
  };

  test('fit into every page of the organization', async () => {
    for (const name of organizationPages) {
      await page.goto(`/organizations/${dashboard.app.orgId}/${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (name === 'usage')
        await page.getByRole('option', { name: longKeyName }).waitFor({ state: 'attached' });
      await assertFits(name);
    }
  });

  test('fit into the dialogs that repeat them', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.getByRole('row', { name: longKeyName }).getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const tooWide = await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.ok(tooWide <= 0, `the dialog scrolls by ${tooWide} px in a window of ${width} px`);
    }
  });
});
