import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../helpers/eventually.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';

const organizationCount = 45;
const shownFirst = 20;
/** More than fit into the window with the margin around it. */
const maxInView = 8;

describe('the cards of an administrator of many organizations', { skip: withoutBrowser }, async () => {
  /** The organizations whose usage or alerts were requested, and the number of requests for each. */
  const asked = new Map<string, number>();
  const dashboard = untilEnd(await openDashboard());
  const { organizations } = dashboard.app.services;
  for (let n = 2; n <= organizationCount; n += 1) {
    await organizations.create({ name: `Number ${n}`, tier: 'free' });
  }
  const page = await dashboard.newPage({ viewport: { width: 1_120, height: 800 } });
  page.on('request', (request) => {
    const [, orgId] = /\/v1\/organizations\/([^/]+)\/(?:usage|alerts)/.exec(request.url()) ?? [];
    if (orgId) asked.set(orgId, (asked.get(orgId) ?? 0) + 1);
  });
  await page.goto('/organizations');
  await signIn(page, dashboard.app.administrator);
  await page.getByRole('article').first().getByRole('img').waitFor();
  await page.waitForLoadState('networkidle');
  const cards = () => page.getByRole('article');

  test('load their details only in view', async () => {
    assert.equal(await cards().count(), shownFirst);
    assert.ok(asked.size > 0 && asked.size <= maxInView, `${asked.size} organizations were asked about`);
  });

  test('load the details of the others when they come into view', async () => {
    const before = asked.size;
    await cards().last().scrollIntoViewIfNeeded();
    await cards().last().getByRole('img').waitFor();
    assert.ok(asked.size > before && asked.size <= shownFirst);
  });

  test('send three requests each, and none again when one scrolls back', async () => {
    await eventually(() => [...asked.values()].every((requests) => requests >= 3));
    await cards().first().scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    assert.deepEqual([...new Set(asked.values())], [3]);
  });

  test('show more on request, and still load only what comes into view', async () => {
    const more = page.getByRole('button', { name: 'Load more organizations' });
    await page.getByText(`The first ${shownFirst} organizations`).waitFor();
    await more.click();
    await page.getByText(`The first ${2 * shownFirst} organizations`).waitFor();
    assert.equal(await cards().count(), 2 * shownFirst);
    await cards().last().scrollIntoViewIfNeeded();
    await cards().last().getByRole('img').waitFor();
    assert.ok(asked.size <= 4 * maxInView, `${asked.size} organizations were asked about`);
  });
});
