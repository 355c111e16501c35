import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { askOf } from '../helpers/asks.ts';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { assertFits } from './faults.ts';
import { longNames } from './seed.ts';

const viewport = { width: 1_440, height: 900 };
/** Without scrolling. */
const minRows = 16;

/** The organizations whose usage a page requested, and the number of requests for each. */
function askedBy(page: Page): Map<string, number> {
  const asked = new Map<string, number>();
  page.on('request', (request) => {
    const [, orgId] = /\/v1\/organizations\/([^/]+)\/usage/.exec(request.url()) ?? [];
    if (orgId) asked.set(orgId, (asked.get(orgId) ?? 0) + 1);
  });
  return asked;
}

describe('the table of an administrator of many organizations', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { services, administrator, orgId } = dashboard.app;
  for (let n = 10; n < 34; n += 1) {
    const created = await services.organizations.create({ name: `Number ${n}`, tier: 'free' });
    // Two of them are over their quotas: 32 and 33 by 2 and 3.
    const used = n >= 32 ? n - 20 : n % 10;
    for (let i = 0; i < used; i += 1) await services.ledger.reserve(created.orgId, askOf('a key'));
    await services.organizations.setTier(created.orgId, 'enterprise', { amount: 10, window: 'month' });
  }
  for (let n = 0; n < 20; n += 1) {
    await services.keys.create({ orgId, userId: administrator.userId, name: `key ${n}` });
  }
  const page = await dashboard.newPage({ viewport });
  const asked = askedBy(page);
  await page.goto('/organizations');
  await signIn(page, administrator);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  await rows.first().waitFor();
  const names = (): Promise<string[]> => rows.getByRole('link').allTextContents();
  /** Throws unless enough rows are whole in the window. */
  const assertDense = async (all: Locator): Promise<void> => {
    const boxes = await Promise.all((await all.all()).map((row) => row.boundingBox()));
    const visible = boxes.filter((box) => box && box.y + box.height <= viewport.height);
    assert.ok(visible.length >= minRows, `${visible.length} rows`);
  };

  test('fits many rows into a window, and takes one request for all of them', async () => {
    await assertDense(rows);
    assert.equal(await rows.count(), 25);
    await page.waitForLoadState('networkidle');
    assert.equal(asked.size, 0);
  });

  test('shows the newest first with what they have used, and finds others by name', async () => {
    const first = ['Number 33', 'Number 32'];
    await eventuallyHolds(async () => assert.deepEqual((await names()).slice(0, 2), first));
    await rows.first().getByText('Over quota').waitFor();
    await rows.first().getByText('130%').waitFor();
    await page.getByText('25 organizations').waitFor();
    const created = page.getByRole('columnheader', { name: 'Created' });
    assert.equal(await created.getAttribute('aria-sort'), 'descending');
    await page.getByRole('searchbox', { name: 'Search organizations' }).fill('ber 1');
    await page.waitForURL('**/organizations?q=ber*');
    const found = Array.from({ length: 10 }, (_, n) => `Number 1${n}`);
    await eventuallyHolds(async () => assert.deepEqual(await names(), found));
  });

  test('has beside it what all have used in a month, and finds the organization of a request', async () => {
    await page.getByRole('link', { name: 'Totals' }).click();
    await page.getByRole('row', { name: 'Number 33 13 13 13' }).waitFor();
    await page.goto('/service');
    await page.getByRole('searchbox', { name: 'Find a request ID' }).fill('nobody-has-it');
    await page.getByText('No organization has a request with this ID in its log.').waitFor();
    const headers = { authorization: `Bearer ${dashboard.app.key}`, 'x-request-id': 'from-a-customer' };
    await fetch(`${dashboard.app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'a text' }),
    });
    await services.recorder.flush();
    await page.getByRole('searchbox', { name: 'Find a request ID' }).fill('from-a-customer');
    await page.getByRole('table', { name: 'Requests with this ID' }).getByRole('link').click();
    await page.waitForURL(`**/organizations/${orgId}/requests?*open=from-a-customer*`);
    await page.goto('/service');
    await page.getByRole('table', { name: 'Most computing time' }).getByRole('link').waitFor();
    await page.goto('/organizations');
  });

  test('cuts long names in their column, and is sorted on a phone, too', async () => {
    for (const name of longNames) await services.organizations.create({ name });
    await page.goto('/organizations');
    await rows.getByText(longNames[0]!).waitFor();
    for (const width of [1_440, 1_024, 768, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await assertFits(page, `the table at ${width} px`);
      for (const cell of await rows.locator('td:first-child').all())
        assert.ok(
          await cell.evaluate((e) => e.scrollWidth <= e.clientWidth),
          `a name leaves its cell at ${width} px`,
        );
    }
    await page.getByLabel('Sort by').selectOption('Name ↑');
    await page.waitForURL('**/organizations?sort=name');
    await eventuallyHolds(async () => assert.match((await names())[0]!, /^Customer success/));
    await page.setViewportSize(viewport);
  });

  test('leads to the keys of one of them, which fit many rows as well', async () => {
    await page.goto(`/organizations/${orgId}/keys`);
    await page.getByRole('row', { name: /first key/ }).waitFor();
    await assertDense(rows);
  });
});

describe('the cards of a few organizations', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  for (let n = 2; n <= 6; n += 1) {
    await dashboard.app.services.organizations.create({ name: `Number ${n}`, tier: 'free' });
  }
  const page = await dashboard.newPage({ viewport: { width: 375, height: 600 } });
  const asked = askedBy(page);
  await page.goto('/login');
  await signIn(page, dashboard.app.administrator);
  await page.waitForURL('**/organizations');
  const cards = page.getByRole('article');
  await cards.nth(5).getByText('No open alerts').waitFor();

  test('are made of the list, without a usage report of each', async () => {
    assert.equal(await cards.count(), 6);
    await page.waitForLoadState('networkidle');
    assert.equal(asked.size, 0);
  });
});
