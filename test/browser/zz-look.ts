import { writeFileSync } from 'node:fs';
import { listeningApp } from '../helpers/app.ts';
import { TestClock } from '../helpers/clock.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { launchBrowser } from './chromium.ts';
import { signIn } from './dashboard.ts';
import { raiseAlerts, seedPeople, seedTargets, seedUsage } from './seed.ts';

const dayMs = 86_400_000;
const nowMs = Date.now();
const clock = new TestClock(new Date(nowMs - 100 * dayMs).toISOString());
const app = await listeningApp({ clock });
await seedUsage(app, clock, nowMs - 700_000);
clock.nowMs = nowMs;
await raiseAlerts(app, app.orgId, nowMs);
await seedPeople(app);
await seedTargets(app, 'https://hooks.invalid/first');
for (const t of ['a', 'b', 'a']) await requestEmbeddings(app.address, app.key, t);
const browser = await launchBrowser();
const context = await browser.newContext({
  baseURL: app.address,
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
});
const page = await context.newPage();
page.on('console', (m) => m.type() === 'error' && console.log(m.text()));
await page.goto('/login');
await signIn(page, app.administrator);
await page.waitForURL('**/organizations');
const o = `/organizations/${app.orgId}`;
const [mode, ...paths] = process.argv.slice(2);
for (const path of paths) {
  await page.goto(path.startsWith('/') ? path : `${o}/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  if (path.startsWith('playground')) {
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    await page.waitForTimeout(1500);
  }
  const name = path.replace(/\W/g, '-');
  for (const m of mode.split(',')) {
    const [what, scheme = 'light', width = '1440'] = m.split(':');
    await page.setViewportSize({ width: Number(width), height: 900 });
    await page.emulateMedia({
      colorScheme: scheme as 'light',
      forcedColors: what === 'forced' ? 'active' : 'none',
      media: what === 'print' ? 'print' : 'screen',
      reducedMotion: 'reduce',
    });
    await page.waitForTimeout(300);
    if (what === 'print') writeFileSync(`/tmp/look-${name}-${scheme}.pdf`, await page.pdf({ format: 'A4' }));
    else await page.screenshot({ path: `/tmp/look-${name}-${what}-${scheme}-${width}.png` });
  }
}
await browser.close();
await app[Symbol.asyncDispose]();
process.exit();
