import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Response } from 'playwright-core';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { organizationPages, pagesOfEverybody } from './pages.ts';

const maxScriptBytes = 175_000;
/** Bounds the frame's scripts. The frame is shown before a page's own scripts arrive. */
const maxFrameBytes = 120_000;
const maxScripts = 12;

/** Returns the compressed size of each script that a page loads, as the browser has received it. */
async function scriptsOf(page: Page, path: string): Promise<number[]> {
  const responses: Response[] = [];
  const collect = (response: Response) => {
    if (response.request().resourceType() === 'script') responses.push(response);
  };
  page.on('response', collect);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  page.off('response', collect);
  return Promise.all(responses.map(async (response) => (await response.request().sizes()).responseBodySize));
}

describe('what a browser loads before a page is complete', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { address, key, orgId, administrator } = dashboard.app;
  await requestEmbeddings(address, key, 'a text');
  const page = await dashboard.newPage();
  await page.goto('/login');
  await signIn(page, administrator);
  await page.waitForURL('**/organizations');
  const state = await page.context().storageState();

  test('it asks who is signed in before the scripts have arrived, and only once', async () => {
    const first = await dashboard.newPage({ storageState: state });
    let count = 0;
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    first.on('request', (request) => {
      if (!request.url().endsWith('/v1/me')) return;
      count += 1;
      resolve();
    });
    await first.route('**/assets/frame-*.js', async (route) => {
      await asked;
      await route.continue();
    });
    await first.goto(`/organizations/${orgId}/usage`);
    await first.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(count, 1);
  });

  const ofOrganization = organizationPages.map((name) => `/organizations/${orgId}/${name}`);
  // Concurrently, since each waits half a second for its network to be idle.
  describe('its scripts are small and few', { concurrency: 2 }, () => {
    for (const path of [...pagesOfEverybody, ...ofOrganization]) {
      const most = path === '/no/such/page' ? maxFrameBytes : maxScriptBytes;
      test(`${path.replace(orgId, '{org_id}')} has at most ${most / 1_000} KB of scripts in ${maxScripts} files`, async (t) => {
        // A window of its own, whose cache is empty.
        const first = await dashboard.newPage({ storageState: state });
        const sizes = await scriptsOf(first, path);
        await first.context().close();
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        t.diagnostic(`${(bytes / 1_000).toFixed(1)} KB in ${sizes.length} files`);
        assert.ok(bytes <= most, `${bytes} bytes`);
        assert.ok(sizes.length <= maxScripts, `${sizes.length} files`);
      });
    }
  });
});
