import { launchBrowser, withoutBrowser } from '../browser/chromium.ts';
import { signIn } from '../browser/dashboard.ts';
import { seedUsage } from '../browser/seed.ts';
import { listeningApp } from '../helpers/app.ts';
import { TestClock } from '../helpers/clock.ts';
import { freePorts } from '../helpers/free-port.ts';

// `npm run test:lighthouse`: the scores of the page Usage, for a person who is signed in. Each must be at least 95.

const least = 95;
const runs = 3;
/** Usage of 30 days is shown. */
const seededMs = 30 * 86_400_000;

if (withoutBrowser) {
  console.log(`skipped: ${withoutBrowser}`);
  process.exit();
}
const clock = new TestClock(new Date(Date.now() - seededMs).toISOString());
// It is installed for this command alone, so the check of types does not have it.
const installed: string = 'lighthouse';
const { default: lighthouse, desktopConfig } = await import(installed);
const app = await listeningApp({ clock });
await seedUsage(app, clock);
const [port = 0] = await freePorts(1);
const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
const page = await browser.newPage({ baseURL: app.address });
await page.goto('/login');
await signIn(page, app.administrator);
await page.waitForURL('**/organizations');
const cookies = await page.context().cookies();
const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
const scores: Record<string, number[]> = { performance: [], accessibility: [] };
for (let run = 0; run < runs; run += 1) {
  const result = await lighthouse(
    `${app.address}/organizations/${app.orgId}`,
    { port, onlyCategories: Object.keys(scores), extraHeaders: { cookie } },
    desktopConfig,
  );
  const shown = result.lhr.finalDisplayedUrl;
  if (!shown.includes(app.orgId)) throw new Error(`Lighthouse has measured ${shown}`);
  for (const [name, { score }] of Object.entries<{ score: number | null }>(result.lhr.categories))
    scores[name]!.push(Math.round(100 * (score ?? 0)));
}
await browser.close();
await app[Symbol.asyncDispose]();
let failed = 0;
for (const [name, values] of Object.entries(scores)) {
  const middle = values.toSorted((a, b) => a - b)[(runs - 1) / 2]!;
  if (middle < least) failed += 1;
  console.log(`${name}: ${values.join(', ')} (at least ${least})`);
}
console.log(`${Object.keys(scores).length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
