import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, textOf } from './dashboard.ts';
import { organizationPages } from './pages.ts';

/**
 * How the service refuses a request, or null: it doesn't respond. Pages have many requests in common, so each request is
 * refused in each way on one page. With EVERY_WAY=1, each request of each page is refused in each way.
 */
const ways: readonly (number | null)[] = [400, 403, 429, 500, 503, null];
/** The first request and its two repetitions. Polls of the frame may send one more. */
const most = 4;

const refuse = (route: Route, status: number | null): Promise<void> =>
  status === null
    ? route.abort()
    : route.fulfill({
        status,
        json: { error: { code: 'refused', message: 'The test refuses this.', param: null, type: 'x' } },
      });

/** Returns what is asked for, whatever the values are that change from one time to the next. */
const nameOf = (url: URL): string => `${url.pathname}?${[...url.searchParams.keys()].sort().join('&')}`;

describe('a page one of whose requests is refused', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { app } = dashboard;
  await requestEmbeddings(app.address, app.key, 'one');
  const {
    key: { keyId },
  } = await app.services.keys.create({ orgId: app.orgId, userId: 'u', name: 'k' });
  const own = `/organizations/${app.orgId}`;
  const paths = [
    ...organizationPages.map((name) => `${own}/${name}`),
    ...['models', 'limits', 'alerts'].map((tab) => `${own}/usage?tab=${tab}`),
    ...['history', 'rules', 'deliveries'].map((tab) => `${own}/alerts?tab=${tab}`),
    `${own}/keys?create=yes`,
    `${own}/keys/${keyId}`,
    ...['/organizations', '/account', '/users', '/service'],
  ];
  const openPage = async (): Promise<Page> => {
    const page = await dashboard.newPage();
    await page.goto('/account');
    await signIn(page, app.administrator);
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    return page;
  };

  /** Returns the requests of a page, of which each is a name as above. */
  const requestsOf = async (page: Page, path: string): Promise<string[]> => {
    const seen = new Set<string>();
    const note = (request: { method(): string; url(): string }) => {
      const url = new URL(request.url());
      if (request.method() === 'GET' && url.pathname.startsWith('/v1/')) seen.add(nameOf(url));
    };
    page.on('request', note);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    page.off('request', note);
    // Without them, there is no page.
    return [...seen].filter((name) => !/^\/v1\/(me|auth\/options)\?/.test(name));
  };

  const assertEnds = async (page: Page, path: string, name: string, status: number | null) => {
    let count = 0;
    await page.route('**/v1/**', (route, request) => {
      if (request.method() !== 'GET' || nameOf(new URL(request.url())) !== name) return route.continue();
      count += 1;
      return refuse(route, status);
    });
    const what = `${path}: ${name} refused with ${status}`;
    await page.clock.install();
    await page.goto(path);
    // Not by its role: the message can be behind a dialog.
    const message = page.locator('button:has-text("Try again")');
    const waiting = page.locator('main .animate-pulse, main [role=status]:has-text("Loading…")');
    await page.waitForLoadState('networkidle');
    // What another page has asked for before.
    if (count === 0) return page.unroute('**/v1/**');
    for (let i = 0; i < 60 && ((await message.count()) === 0 || (await waiting.count()) > 0); i++) {
      await page.clock.runFor(1_000);
      await setTimeout(50);
    }
    const shown = await textOf(page.locator('body'));
    assert.ok((await message.count()) > 0, `${what}: no "Try again" in ${JSON.stringify(shown)}`);
    if (status !== null) assert.match(shown, /The test refuses this\./, what);
    assert.equal(await waiting.count(), 0, `${what}: something waits`);
    assert.ok(count <= most, `${what}: ${count} requests`);
    await page.unroute('**/v1/**');
    refused.add(path);
  };

  const refused = new Set<string>();
  /** By the name of the request. */
  const pagesUntilNow = new Map<string, number>();
  const waysFor = (path: string, name: string): readonly (number | null)[] => {
    if (process.env.EVERY_WAY) return ways;
    const count = pagesUntilNow.get(name) ?? 0;
    pagesUntilNow.set(name, count + 1);
    return count < ways.length || !refused.has(path) ? [ways[count % ways.length]!] : [];
  };
  const queue = paths.map((path, i) => ({ path, i }));
  // Most of the time, pages wait.
  describe('says so, offers to try again, and shows the rest', { concurrency: 3 }, () => {
    for (const lane of [0, 1, 2])
      test(`${lane + 1} of 3`, async () => {
        const page = await openPage();
        for (const { path } of queue.filter(({ i }) => i % 3 === lane)) {
          const requests = await requestsOf(page, path);
          assert.ok(requests.length > 0, path);
          for (const name of requests)
            for (const status of waysFor(path, name)) await assertEnds(page, path, name, status);
        }
        await page.context().close();
      });
  });

  test('a request of each page was refused', () => {
    assert.deepEqual(
      paths.filter((path) => !refused.has(path)),
      [],
    );
  });
});
