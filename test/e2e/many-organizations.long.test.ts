import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from './chromium.ts';
import { type Dashboard, openDashboard, signIn } from './dashboard.ts';

const organizationCount = 120;
const shownFirst = 20;
/** More than fit into the window with the margin around it. */
const maxInView = 8;

describe('an administrator of many organizations', { skip: withoutBrowser }, () => {
  let dashboard: Dashboard;
  let page: Page;
  /** Those whose usage or alerts were asked for, and how often anything was. */
  const asked = new Map<string, number>();
  before(async () => {
    dashboard = await openDashboard();
    const { organizations } = dashboard.app.services;
    for (let n = 2; n <= organizationCount; n += 1) {
      await organizations.create({ name: `Number ${n}`, tier: 'free' });
    }
    page = await dashboard.newPage({ viewport: { width: 1_120, height: 800 } });
    page.on('request', (request) => {
      const [, orgId] = /\/v1\/organizations\/([^/]+)\/(?:usage|alerts)/.exec(request.url()) ?? [];
      if (orgId) asked.set(orgId, (asked.get(orgId) ?? 0) + 1);
    });
    await page.goto('/organizations');
    await signIn(page, dashboard.app.administrator);
    await page.getByRole('article').first().getByRole('img').waitFor();
    await page.waitForLoadState('networkidle');
  });
  after(() => dashboard?.[Symbol.asyncDispose]());
  const cards = () => page.getByRole('article');

  test('loads the details of the cards in view, and of no others', async () => {
    assert.equal(await cards().count(), shownFirst);
    assert.ok(asked.size > 0 && asked.size <= maxInView, `${asked.size} organizations were asked about`);
  });

  test('loads those of the others when they come into view', async () => {
    const before = asked.size;
    await cards().last().scrollIntoViewIfNeeded();
    await cards().last().getByRole('img').waitFor();
    assert.ok(asked.size > before && asked.size <= shownFirst);
  });

  test('asks three things of each, and nothing again when one scrolls back', async () => {
    await page.waitForLoadState('networkidle');
    await cards().first().scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    assert.deepEqual([...new Set(asked.values())], [3]);
  });

  test('shows more when it is asked to, and still loads only what comes into view', async () => {
    await page.getByText(`${shownFirst} of ${organizationCount} organizations`).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(`100 of ${organizationCount} organizations`).waitFor();
    assert.equal(await cards().count(), 100);
    await cards().last().scrollIntoViewIfNeeded();
    await cards().last().getByRole('img').waitFor();
    assert.ok(asked.size <= 4 * maxInView, `${asked.size} organizations were asked about`);
    await page.getByRole('button', { name: 'Show more' }).click();
    assert.equal(await cards().count(), organizationCount);
  });

  test('the browser had nothing to complain about', () => {
    assert.deepEqual(dashboard.complaints, []);
  });
});
