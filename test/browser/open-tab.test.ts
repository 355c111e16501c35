import { describe, test } from 'node:test';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';

describe('a page that was opened before an upgrade', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const page = await dashboard.newPage();
  await page.goto('/login');
  await signIn(page, dashboard.app.administrator);
  const shown = () => page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  await shown();

  test('begins again with the new scripts when one of its own is gone', async () => {
    // A page that has just begun does not begin again.
    await page.clock.install();
    await page.reload();
    await shown();
    await page.clock.fastForward(60_000);
    await page.route(/assets\/palette/, (route) => route.fulfill({ status: 404, body: '' }), { times: 1 });
    const again = page.waitForEvent('load');
    await page.keyboard.press('/');
    await again;
    await shown();
    await page.keyboard.press('/');
    await page.getByRole('dialog').waitFor();
  });
});
