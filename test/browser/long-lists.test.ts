import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, styleOf } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';
import { longName, longNames } from './seed.ts';

const rowsPerPage = 50;
/** More than two pages. */
const rows = 105;
/** More than are loaded one page after the other. */
const organizations = 505;
/** More than a page, so that there is a search. */
const people = 50;

describe('lists with more rows than a page loads', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services } = dashboard.app;
  const numberOf = (i: number) => String(i).padStart(3, '0');
  for (let i = 0; i < organizations; i += 1)
    await services.organizations.create({ name: `${i % 2 === 0 ? 'Acme' : 'Beta'} ${numberOf(i)}` });
  for (let i = 0; i < rows; i += 1)
    await services.keys.create({ orgId, userId: administrator.userId, name: `key ${numberOf(i)}` });
  for (const [email, name] of [
    ['grace@example.com', 'Rear Admiral'],
    ['rosa@example.com', 'Rosa'],
  ] as const) {
    const { user } = await services.users.create({ email, name });
    await services.members.add(orgId, user.userId, 'viewer');
  }
  for (let i = 0; i < people; i += 1) {
    const { user } = await services.users.create({ email: `user${i}@example.com`, name: `Person ${i}` });
    await services.members.add(orgId, user.userId, 'viewer');
  }
  const page = await dashboard.newPage();
  await page.goto('/organizations');
  await signIn(page, administrator);
  await page.getByRole('table').waitFor();

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
    const names = () => firstCells('Organizations');
    assert.equal((await names()).length, rowsPerPage);
    const more = page.getByRole('button', { name: 'Load more organizations' });
    await more.focus();
    await page.keyboard.press('Enter');
    for (let count = 2 * rowsPerPage; count < 500; count += rowsPerPage) {
      await page.getByText(`${count} of ${organizations + 1} organizations`).waitFor();
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Load more');
      await page.keyboard.press('Enter');
    }
    await page
      .getByText(`500 of ${organizations + 1} organizations. Search for more of a name to find others.`)
      .waitFor();
    assert.equal(await more.count(), 0);
    assert.equal(new Set(await names()).size, 500);

    await page.goto('/organizations');
    await page.getByLabel('Search organizations').pressSequentially('BETA 04');
    await page.waitForURL('**/organizations?q=BETA+04');
    const found = ['Beta 041', 'Beta 043', 'Beta 045', 'Beta 047', 'Beta 049'];
    await eventuallyHolds(async () => assert.deepEqual(await names(), found));
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.waitForURL('**/organizations?q=BETA+04&sort=-name');
    await eventuallyHolds(async () => assert.deepEqual(await names(), found.toReversed()));
    await page.reload();
    await eventuallyHolds(async () => assert.deepEqual(await names(), found.toReversed()));
    await page.getByLabel('Search organizations').fill('nothing like it');
    await page.getByText('No organization matches.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test('keys are sorted by the headers of their columns', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await rowsOf('API keys').first().getByText('key 104').waitFor();
    assert.equal(await rowsOf('API keys').count(), rowsPerPage);
    const header = (name: string) => page.getByRole('columnheader', { name });
    assert.equal(await header('Created').getAttribute('aria-sort'), 'descending');
    await header('Name').getByRole('button').click();
    await page.waitForURL('**/keys?sort=name');
    await rowsOf('API keys').nth(1).getByText('key 000').waitFor();
    assert.equal(await header('Name').getAttribute('aria-sort'), 'ascending');
    await page.getByRole('button', { name: 'Load more keys' }).click();
    await page.getByText(`100 of ${rows + 1} keys`).waitFor();
    const cells = await firstCells('API keys');
    assert.match(cells[0]!, /first key/);
    assert.match(cells[99]!, /key 098/);
    await page.keyboard.press('Enter');
    await page.getByText(`${rows + 1} of ${rows + 1} keys`).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    await eventuallyHolds(async () => assert.equal(await focused(), `${rows + 1} of ${rows + 1} keys`));
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test('keys are picked by typing, and name each request', async () => {
    const { address } = dashboard.app;
    const old = await services.keys.create({ orgId, userId: administrator.userId, name: 'the busiest key' });
    await requestEmbeddings(address, old.secret, 'a text');
    for (let n = 0; n < rowsPerPage; n += 1) {
      const { secret } = await services.keys.create({
        orgId,
        userId: administrator.userId,
        name: `new ${n}`,
      });
      await requestEmbeddings(address, secret, `text ${n}`);
    }
    await page.goto(`/organizations/${orgId}/requests`);
    await eventuallyHolds(async () => {
      const names = await rowsOf('Requests').locator('td:nth-of-type(3)').allTextContents();
      assert.deepEqual(
        names.filter((name) => !name.startsWith('Keynew ')),
        [],
      );
      assert.equal(names.length, rowsPerPage);
    });
    for (const name of ['requests', 'usage']) {
      await page.goto(`/organizations/${orgId}/${name}`);
      await page.getByRole('button', { name: 'Key: All keys' }).click();
      await page.getByRole('combobox', { name: 'Key' }).fill('busiest');
      await page.getByRole('option', { name: /^the busiest key/ }).click();
      await page.waitForURL(`**/${name}?key=${old.key.keyId}`);
      await page.getByRole('button', { name: 'Key: the busiest key' }).waitFor();
    }
    // A trend is drawn for keys with requests only: a flat line would say nothing.
    for (const [name, count] of [
      ['the busiest key', 1],
      ['key 000', 0],
    ] as const) {
      await page.goto(`/organizations/${orgId}/keys?q=${encodeURIComponent(name)}`);
      const row = rowsOf('API keys').filter({ hasText: name });
      await row.waitFor();
      assert.equal(await row.locator('path.stroke-accent').count(), count, name);
    }
    await page.goto(`/organizations/${orgId}/keys/${old.key.keyId}`);
    await page.getByText('1 request', { exact: true }).waitFor();
  });

  test('people are found by their address or by their name', async () => {
    for (const [path, caption] of [
      ['/users', 'Users'],
      [`/organizations/${dashboard.app.orgId}/members`, 'Members'],
    ] as const) {
      await page.goto(path);
      const shows = (expected: RegExp) =>
        eventuallyHolds(async () => assert.match((await firstCells(caption)).join(), expected));
      await page.getByRole('searchbox').fill('ADMIRAL');
      await shows(/^Rear Admiralgrace@example\.com$/);
      await page.getByRole('searchbox').fill('rosa@');
      await shows(/^Rosarosa@example\.com$/);
      assert.deepEqual(await accessibilityFaults(page), []);
    }
  });
});

const widths = [1_440, 1_024, 768, 375];
const longKeyName = 'k'.repeat(98);

describe('names of the maximum length', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services } = dashboard.app;
  await services.organizations.change(orgId, { name: longName });
  const { userId } = administrator;
  await services.keys.create({ orgId, userId, name: longKeyName });
  const page = await dashboard.newPage();
  await page.goto('/login');
  await signIn(page, administrator);
  await page.waitForURL('**/organizations');

  test('leave the buttons of each key in sight, and the name of the organization on one line', async () => {
    for (const name of longNames) await services.keys.create({ orgId, userId, name });
    await page.goto(`/organizations/${orgId}/keys`);
    const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      for (const row of await rows.all()) {
        for (const name of ['Rotate', 'Revoke']) {
          const { x, width: own } = (await row.getByRole('button', { name }).boundingBox()) ?? assert.fail();
          assert.ok(x >= 0 && x + own <= width, `${name} begins at ${x} px of ${width}`);
        }
      }
      const switcher = page.getByRole('button', { name: /, switch organization$/ });
      if (width >= 768) assert.equal((await switcher.boundingBox())?.height, 32);
      const cutPx = await page.locator('aside').evaluate((aside) => aside.scrollWidth - aside.clientWidth);
      assert.equal(cutPx, 0, `the sidebar is ${cutPx} px too wide at ${width}`);
    }
  });

  test('are cut at their end, also those that are written from right to left', async () => {
    const arabic = longNames[2]!;
    assert.equal(await styleOf(page.getByRole('link', { name: arabic }), 'direction'), 'rtl');
    await page.getByRole('link', { name: arabic }).click();
    assert.equal(await styleOf(page.getByRole('heading', { name: arabic }), 'direction'), 'rtl');
  });

  test('fit into the dialogs that repeat them', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.getByRole('button', { name: `Revoke ${longKeyName}` }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const tooWide = await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.ok(tooWide <= 0, `the dialog scrolls by ${tooWide} px in a window of ${width} px`);
    }
  });
});
