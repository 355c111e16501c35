import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { allRows } from '../../src/lib/page.ts';
import { batchClient, jsonl, line } from '../helpers/batch-client.ts';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, textOf } from './dashboard.ts';
import { seedTargets } from './seed.ts';

const unknownId = '01a19671-c1c0-7453-bb19-492ba816cd71';
/** What people mistype, and what others send to do harm. */
const bad = [
  'x',
  'constructor',
  '__proto__',
  '',
  '1e3',
  '-1',
  '2026-02-31',
  '2026-02-31:2026-03-40',
  '2024-09-19:2026-11-28',
  '2026-11-28:2026-11-01',
  '9999-12',
  '2026-02-31T00:00:00Z',
  '2026-11-28T00:00:00Z',
  unknownId,
  '\0‮',
  'very long '.repeat(300),
  'unknown.action',
  `batch_${'0'.repeat(32)}`,
] as const;

/** The paths of all pages with the parameters that their addresses may have. */
const routesOf = (page: Page) =>
  page.evaluate<[path: string, names: string[]][]>(`Object.values(__TSR_ROUTER__.routesByPath)
    .map(({ fullPath, options }) => [fullPath, Object.keys(options.validateSearch?.({}) ?? {})])`);

/** The title of a sheet and the identifiers in it, which stay when its times change. */
const namesIn = async (sheet: Locator): Promise<string[]> => [
  await textOf(sheet.getByRole('heading').first()),
  ...((await textOf(sheet)).match(/[\da-f]{8}-[\da-f-]{27}/g) ?? []),
];

describe('the addresses of pages', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, address, key, administrator, services } = dashboard.app;
  await seedTargets(dashboard.app, 'https://hooks.invalid/first');
  const sent = await requestEmbeddings(address, key, 'a text');
  assert.equal(sent.status, 200);
  const [{ keyId } = assert.fail('there is no key')] = await allRows((query) =>
    services.keys.list(orgId, query),
  );
  const organization = `/organizations/${orgId}`;

  /** Visits a page with each parameter and each bad value, and all at once. Throws unless the page is shown as without them. */
  const assertUnharmed = async (page: Page, path: string, names: readonly string[]): Promise<void> => {
    const waiting = new Set<Request>();
    page.removeAllListeners('request').on('request', (request) => waiting.add(request));
    page.on('requestfinished', (request) => waiting.delete(request));
    page.on('requestfailed', (request) => waiting.delete(request));
    await page.goto(path);
    // Behind an open sheet, it has no role.
    const heading = page.locator('h1');
    await heading.waitFor();
    const name = await heading.textContent();
    const searches = [
      // Repeated, and one that no page has.
      ...bad.map((value) =>
        [...names, 'unknown']
          .flatMap((each) => [`${each}=a`, `${each}=${encodeURIComponent(value)}`])
          .join('&'),
      ),
      'from=2026-11-28T00:00:00.000Z&to=2026-11-01T00:00:00.000Z',
      // One that is valid may hide what the others do.
      ...names.flatMap((each) =>
        ['constructor', '2024-09-19:2026-11-28', unknownId].map(
          (value) => `${each}=${encodeURIComponent(value)}`,
        ),
      ),
    ];
    for (const search of searches) {
      // As a step through the history, which takes a tenth of the time of a visit.
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`${path}?${search}`)});
        dispatchEvent(new PopStateEvent('popstate', { state: {} }))`);
      await page.waitForTimeout(20);
      await eventuallyHolds(async () => assert.equal(waiting.size, 0, `${path}?${search} loads`));
      assert.deepEqual(await heading.allTextContents(), [name], `${path}?${search}`);
      assert.doesNotMatch(await textOf(page.locator('body')), /could not be loaded/, `${path}?${search}`);
      await page.keyboard.press('Escape');
    }
  };

  test('can say anything without harm to the page', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const routes = await routesOf(page);
    assert.ok(routes.some(([, names]) => names.includes('period')));
    for (const [path, names] of routes.filter(([path]) => /^\/(login|reset|invite|confirm)/.test(path)))
      await assertUnharmed(page, path, names);
    await page.goto('/login');
    await signIn(page, administrator);
    await page.waitForURL('**/organizations');
    for (const [path, names] of routes.filter(([path]) =>
      /^\/(organizations|users|account|service)/.test(path),
    ))
      await assertUnharmed(page, path.replace('$orgId', orgId).replace('$keyId', keyId), names);
  });

  test('lose what the service would refuse', async () => {
    const page = await dashboard.newPage();
    await page.goto(`${organization}/usage`);
    await signIn(page, administrator);
    for (const bad of ['usage?period=2999-05', 'usage?period=0001-01', 'requests?from=2026-11-29T00:00Z']) {
      await page.goto(`${organization}/${bad}`);
      await page.waitForURL(`**${organization}/${bad.split('?')[0]}`);
    }
  });

  test('have what is open at the side: a reload shows it again, and Back closes it', async () => {
    await batchClient({ address, key }).create(jsonl([line('1', { input: 'a text' })]));
    const page = await dashboard.newPage();
    await page.goto(`${organization}/audit`);
    await signIn(page, administrator);
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    const sheet = page.getByRole('dialog');
    const opened = {
      audit: page.getByRole('row').getByRole('button').first(),
      'alerts?tab=deliveries': page.getByRole('button', { name: 'Show what was sent' }).first(),
      models: page.getByRole('button', { name: services.models.default.served.model.name }),
      'members?q=Administrator': page.getByRole('button', { name: 'Limits of' }).first(),
      requests: page.getByRole('row').getByRole('button').first(),
      [`keys/${keyId}`]: page.getByRole('row').getByRole('button').first(),
      batches: page.getByRole('row').getByRole('button').first(),
    };
    for (const [path, opener] of Object.entries(opened)) {
      await page.goto(`${organization}/${path}`);
      const before = page.url();
      await opener.click();
      await sheet.waitFor();
      const text = await namesIn(sheet);
      await page.reload();
      await eventuallyHolds(async () => assert.deepEqual(await namesIn(sheet), text, path));
      await page.goBack();
      await sheet.waitFor({ state: 'detached' });
      assert.equal(page.url(), before);
      if (path === 'batches') continue;
      await page.goto(`${before}${before.includes('?') ? '&' : '?'}open=${unknownId}`);
      await sheet.getByText('There is no such').waitFor();
    }
  });
});
