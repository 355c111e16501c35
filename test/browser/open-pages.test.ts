import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';

const watchedMs = 30_000;
/** 45 a minute. The intervals of the pages allow at most 36, and what else they have is loaded twice a minute. */
const mostCalls = 22;

describe('open pages while requests come in', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, address, key, administrator } = dashboard.app;
  const page = await dashboard.newPage();
  await requestEmbeddings(address, key, 'the first text');
  await page.goto('/login');
  await signIn(page, administrator);
  await page.waitForURL('**/organizations');

  test('load what requests change, and nothing that they don’t, at most 45 times a minute', async () => {
    const calls = await Promise.all(
      ['usage?group=key', 'usage?compare=previous', 'requests', 'keys'].map(async (path) => {
        const open = await page.context().newPage();
        await open.goto(`/organizations/${orgId}/${path}`);
        await open.getByRole('table').first().waitFor();
        const asked: string[] = [];
        open.on('request', (request) =>
          asked.push(new URL(request.url()).pathname.replace(orgId, '{org_id}')),
        );
        return { path, asked };
      }),
    );
    for (let sentMs = 0; sentMs < watchedMs; sentMs += 1_000) {
      await requestEmbeddings(address, key, `text ${sentMs}`);
      await setTimeout(1_000);
    }
    for (const { path, asked } of calls) {
      assert.ok(asked.length <= mostCalls, `${path}: ${asked.length} calls: ${asked.sort().join(' ')}`);
      assert.ok(asked.includes('/v1/organizations/{org_id}'), `${path} stays up to date`);
      // The alerts have an interval of their own.
      const others = asked.filter((each) => /access$|alerts$|deprecated$/.test(each));
      assert.ok(others.length <= 1, `${path}: ${others}`);
    }
  });
});
