import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, styleOf } from './dashboard.ts';
import { assertFits } from './faults.ts';
import { longNames } from './seed.ts';

const dayMs = 86_400_000;
const minContrast = 3;

/** Returns the relative luminance of a colour such as `rgb(15, 118, 110)`, as WCAG defines it. */
function luminanceOf(color: string): number {
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? [])
    .map((value) => Number(value) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe('the chart of the usage', { skip: withoutBrowser }, async () => {
  const clock = new TestClock(new Date(Date.now() - dayMs).toISOString());
  const dashboard = untilEnd(await openDashboard({ clock }));
  const { orgId, services, address, key, administrator } = dashboard.app;
  for (let n = 0; n < 3; n += 1) await services.ledger.reserve(orgId, askOf('a key'));
  clock.advance(dayMs);
  for (let n = 0; n < 2; n += 1) await requestEmbeddings(address, key, 'a text');
  const page = await dashboard.newPage();
  await page.goto(`/organizations/${orgId}/usage`);
  await signIn(page, administrator);
  const chart = () => page.getByRole('application', { name: /^Requests by period/ });
  await chart().waitFor();
  const figures = () => chart().getByRole('status');

  test('marks today', async () => {
    await chart().locator('[data-axis=x]').last().getByText('Today').waitFor();
  });

  test('shows the figures of a bar with their colours and total, for the mouse and for the arrow keys', async () => {
    const assertShown = async (...parts: RegExp[]): Promise<void> => {
      for (const part of parts) await figures().getByText(part).waitFor();
    };
    await chart().locator('[data-kind=cached]').hover();
    await assertShown(/^Today so far$/);
    assert.equal(await figures().locator('dl svg').count(), 3);
    assert.match((await figures().textContent()) ?? '', /Counted1Cached1Failed0Total2$/);
    await page.mouse.move(0, 0);
    await figures().waitFor({ state: 'detached' });
    await chart().press('ArrowLeft');
    await assertShown(/^Today so far$/);
    await chart().press('ArrowLeft');
    await page.getByText('Today so far').waitFor({ state: 'detached' });
    assert.match((await figures().textContent()) ?? '', /Counted3Cached0Failed0Total3$/);
    await chart().press('Escape');
    await figures().waitFor({ state: 'detached' });
  });

  test('leaves out what its legend hides', async () => {
    const legend = page.getByRole('region', { name: 'History' }).getByRole('button', { name: 'Cached' });
    await legend.click();
    await legend.and(page.locator('[aria-pressed=false]')).waitFor();
    await chart().press('ArrowLeft');
    await figures().waitFor();
    assert.match((await figures().textContent()) ?? '', /Counted1Failed0Total1$/);
    await legend.click();
  });

  test('compares each day with the period before, whose days are all empty here', async () => {
    await page.getByText('Compare', { exact: true }).click();
    await page.waitForURL('**/usage?compare=previous');
    // A line without a height.
    await chart().locator('[data-kind=previous]').waitFor({ state: 'attached' });
    await chart().press('ArrowLeft');
    await figures().getByText('Period before').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Previous 28 days' }).waitFor();
    assert.match((await figures().textContent()) ?? '', /Total2Period before0$/);
    await chart().press('Escape');
  });

  test('draws the line of a limit only over the requests that it counts', async () => {
    await services.organizations.setTier(orgId, 'enterprise', { amount: 3, window: 'day' });
    await page.goto(`/organizations/${orgId}/usage`);
    await chart().getByText('Limit per day').waitFor();
    await page.getByLabel('Group').selectOption('By key');
    await chart().getByText('Limit per day').waitFor({ state: 'detached' });
    await page.getByLabel('Group').selectOption('By outcome');
    const legend = page.getByRole('region', { name: 'History' }).getByRole('button', { name: 'Counted' });
    for (const state of ['attached', 'detached', 'attached'] as const) {
      await chart().getByText('Limit per day').waitFor({ state });
      await legend.click();
    }
    const [{ keyId } = assert.fail('no key')] = (await services.keys.list(orgId, {})).data;
    await page.goto(`/organizations/${orgId}/usage?key=${keyId}`);
    await chart().locator('[data-kind=counted]').waitFor();
    assert.equal(await chart().getByText('Limit per day').count(), 0);
    await page.goto(`/organizations/${orgId}/usage`);
  });

  test('names how many keys the others are, and cuts a long name in the figures', async () => {
    const { orgId } = await services.organizations.create({ name: 'Many keys' });
    for (const name of [...longNames, 'the last one']) {
      const { secret } = await services.keys.create({ orgId, userId: administrator.userId, name });
      await requestEmbeddings(address, secret, name);
    }
    await page.goto(`/organizations/${orgId}/usage?group=key`);
    const swatches = page.getByRole('region', { name: 'History' }).locator('li button rect');
    /** How far a colour is from grey. */
    const chromaOf = async (swatch: Locator): Promise<number> => {
      const parts = ((await styleOf(swatch, 'fill')).match(/[\d.]+/g) ?? assert.fail('no colour')).map(
        Number,
      );
      return Math.max(...parts) - Math.min(...parts);
    };
    assert.ok((await chromaOf(swatches.last())) < 10, 'the others are grey');
    assert.ok((await chromaOf(swatches.first())) > 30, 'keys are not');
    assert.equal(await styleOf(page.getByText(longNames[2]!).first(), 'direction'), 'rtl');
    await chart().press('ArrowLeft');
    assert.match((await figures().textContent()) ?? '', /Today so far.*Total7$/s);
    const cutPx = await figures().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(cutPx, 0, 'a long name leaves its box');
    await page.getByText('Show as a table').click();
    for (const width of [1_920, 1_440, 1_024, 768, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await assertFits(page, `the figures as a table at ${width} px`);
    }
    const label = page.getByRole('table', { name: 'Requests by period' }).getByText(longNames[0]!).last();
    assert.ok(await label.evaluate((e) => e.scrollWidth <= e.clientWidth), 'a long name leaves its column');
    await page.setViewportSize({ width: 1_280, height: 720 });
    await page.goto(`/organizations/${dashboard.app.orgId}/usage`);
    await chart().waitFor();
  });

  test('states the unit on the axis of the latencies, and draws them in the colours of the legend', async () => {
    await page.goto(`/organizations/${orgId}/usage?view=latency`);
    const latencies = page.getByRole('application', { name: /^Latency by period/ });
    await latencies.locator('text').filter({ hasText: / m?s$/ }).first().waitFor();
    const swatches = page.getByRole('region', { name: 'History' }).locator('li button rect');
    for (const [place, kind] of ['p50', 'p95'].entries())
      assert.equal(
        await styleOf(swatches.nth(place), 'fill'),
        await styleOf(latencies.locator(`[data-kind=${kind}]`), 'stroke'),
      );
  });

  test('sorts the keys below it by any figure', async () => {
    await page.goto(`/organizations/${orgId}/usage`);
    const rows = page.getByRole('region', { name: 'Usage by key, table' }).getByRole('row');
    const named = () => rows.getByRole('cell').nth(0).textContent();
    const first = await named();
    await rows.getByRole('button', { name: 'Counted' }).click();
    await rows
      .getByRole('columnheader', { name: 'Counted' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    assert.notEqual(await named(), first);
  });

  test('opens the requests of a day', async () => {
    await chart().press('ArrowLeft');
    await chart().press('Enter');
    await page.waitForURL('**/requests?from=*');
    const { searchParams } = new URL(page.url());
    const [fromMs, toMs] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    assert.equal(toMs, (fromMs ?? 0) + dayMs);
    assert.equal(fromMs, Math.floor(clock.now() / dayMs) * dayMs);
    await page.getByRole('row', { name: / 200 cached first key / }).waitFor();
    await page.goBack();
    await chart().waitFor();
  });

  test('shows parts beside each other in colours that grey tells apart', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const luminances = await Promise.all(
        ['counted', 'cached'].map(async (kind) =>
          luminanceOf(await styleOf(chart().locator(`[data-kind=${kind}]`).last(), 'fill')),
        ),
      );
      const contrast = (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
      assert.ok(contrast >= minContrast, `${contrast} in ${colorScheme}`);
    }
  });
});
