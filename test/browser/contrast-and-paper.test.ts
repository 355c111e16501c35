import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { batchClient, jsonl, line } from '../helpers/batch-client.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, styleOf } from './dashboard.ts';
import { organizationPages } from './pages.ts';
import { seedAlert, seedPeople, seedTargets } from './seed.ts';

/** Returns the parts that a background alone draws, such as bars and dots. */
const drawnParts = `(() => {
  const isSeen = (part) => {
    const { width, height } = part.getBoundingClientRect();
    return width > 1 && height > 1 && part.checkVisibility({ visibilityProperty: true });
  };
  const backgroundOf = (part) => getComputedStyle(part).backgroundColor;
  globalThis.drawn = [...document.querySelectorAll('#root *')].filter((part) =>
    part.textContent === '' && !part.closest('svg') && isSeen(part) && !/, 0\\)$|transparent/.test(backgroundOf(part))
    && !['INPUT', 'SELECT', 'TEXTAREA'].includes(part.tagName));
  return drawn.length;
})()`;

/** Returns those of them that nobody can see in high contrast. */
const lostParts = `drawn.filter((part) => {
  const { backgroundColor, borderTopWidth, borderTopColor, outlineStyle } = getComputedStyle(part);
  const canvas = getComputedStyle(document.body).backgroundColor;
  return backgroundColor === canvas && !(parseFloat(borderTopWidth) > 0 && borderTopColor !== canvas) && outlineStyle === 'none';
}).map((part) => part.outerHTML)`;

const drawnBy = ['background-color', 'border-bottom-width', 'border-bottom-color', 'translate'];
/** How a control and its parts are drawn, without what high contrast leaves out. */
async function lookOf(control: Locator): Promise<string> {
  const parts = [control, ...(await control.locator('*').all())];
  return (await Promise.all(parts.flatMap((part) => drawnBy.map((name) => styleOf(part, name))))).join();
}

const controls = 'button, select, input, textarea, summary, a[download], aside, [role=dialog]';
const paperPx = 700;

describe('the dashboard in high contrast and on paper', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { app } = dashboard;
  const { orgId, address, key, administrator } = app;
  await seedPeople(app);
  await seedTargets(app, 'https://hooks.invalid/first');
  await seedAlert(app);
  await app.services.limits.add(orgId, { unit: 'requests', window: 'day', amount: 3 });
  await requestEmbeddings(address, key, 'a text');
  await batchClient({ address, key }).create(jsonl([line('1', { input: 'a text' })]));
  const organization = `/organizations/${orgId}`;
  const paths = [
    '/organizations',
    '/users',
    '/service',
    '/installation-keys',
    '/all-limits',
    '/account',
    ...[...organizationPages, 'usage?view=latency', 'alerts?tab=rules', 'alerts?tab=deliveries'].map(
      (name) => `${organization}/${name}`,
    ),
  ];

  /** Opens a page, with what it shows after a request. */
  const visit = async (page: Page, path: string): Promise<void> => {
    await page.emulateMedia({ forcedColors: 'none', media: 'screen' });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    if (!path.endsWith('playground')) return;
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    await page.getByRole('table').waitFor();
  };

  test('high contrast shows each bar and dot, and what is on or chosen', async () => {
    const page = await dashboard.newPage({ viewport: { width: 1_440, height: 900 } });
    await page.goto('/login');
    await signIn(page, administrator);
    await page.waitForURL('**/organizations');
    for (const path of paths) {
      await visit(page, path);
      await page.evaluate(drawnParts);
      await page.emulateMedia({ forcedColors: 'active' });
      assert.deepEqual(await page.evaluate(lostParts), [], path);
    }
    const differ = async (...alternatives: [what: string, one: Locator, other: Locator]): Promise<void> => {
      const [what, one, other] = alternatives;
      assert.notEqual(await lookOf(one.first()), await lookOf(other.first()), what);
    };
    const nav = page.getByRole('navigation', { name: 'Organization' });
    await visit(page, `${organization}/alerts?tab=rules`);
    await page.emulateMedia({ forcedColors: 'active' });
    const switches = page.locator('label:has([role=switch])');
    await differ(
      'a switch',
      switches.filter({ has: page.locator(':checked') }),
      switches.filter({ hasNot: page.locator(':checked') }),
    );
    await differ(
      'a tab',
      page.locator('main nav [aria-current]'),
      page.locator('main nav a:not([aria-current])'),
    );
    await differ('a page', nav.locator('[aria-current]'), nav.locator('a:not([aria-current])'));
    await page.goto(`${organization}/usage`);
    await differ(
      'one of a few',
      page.locator('label:has(:checked)', { hasText: 'Requests' }),
      page.locator('label', { hasText: 'Tokens' }),
    );
    await page.getByRole('button', { name: 'Export' }).click();
    await page.keyboard.press('ArrowDown');
    await differ(
      'an item of a menu',
      page.locator('[role=menuitem][data-highlighted]'),
      page.locator('[role=menuitem]:not([data-highlighted])'),
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await differ(
      'an item of the palette',
      page.locator('[role=option][aria-selected=true]'),
      page.locator('[role=option][aria-selected=false]'),
    );
    await page.keyboard.press('Escape');
    await visit(page, `${organization}/playground`);
    await page.emulateMedia({ forcedColors: 'active' });
    const [same, unlike] = [
      page.getByRole('cell', { name: '1.00' }),
      page.getByRole('cell', { name: '0.00' }),
    ];
    await differ('a cell of the heat map', same, unlike);
  });

  test('paper has whole charts and tables, and no controls', async () => {
    const page = await dashboard.newPage({ viewport: { width: 1_440, height: 900 }, colorScheme: 'dark' });
    // A browser that prints does not wait until a chart has measured the paper.
    await page.addInitScript(
      `ResizeObserver = class extends ResizeObserver {
        constructor(callback) {
          super((entries) => { callback(entries); this.disconnect(); });
        }
      }`,
    );
    await page.goto('/login');
    await signIn(page, administrator);
    await page.waitForURL('**/organizations');
    for (const path of paths) {
      await visit(page, path);
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: paperPx, height: 1_000 });
      const tooWide = await page.evaluate(
        `[...document.querySelectorAll('main *')].filter((part) => part.getBoundingClientRect().right > ${paperPx + 1}
          && part.checkVisibility()).map((part) => part.textContent).slice(-5)`,
      );
      assert.deepEqual(tooWide, [], `${path} is wider than the paper`);
      const left = page.locator(controls).filter({ visible: true });
      // The words of a table, such as the time that opens a request.
      const words = await page.locator('td button').filter({ visible: true }).all();
      assert.equal(await left.count(), words.length, `${path} has controls on paper`);
      for (const word of words) assert.equal(await styleOf(word, 'border-top-width'), '0px', path);
      await page.setViewportSize({ width: 1_440, height: 900 });
    }
    await visit(page, `${organization}/usage?tab=models`);
    await page.emulateMedia({ media: 'print' });
    for (const word of ['Last 30 days', 'All keys', 'Requests', 'Counted', 'By model'])
      await page
        .getByRole('main')
        .getByText(word, { exact: true })
        .filter({ visible: true })
        .first()
        .waitFor();
    assert.equal(
      await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      'rgb(255, 255, 255)',
    );
  });
});
