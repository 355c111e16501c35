import { execFile } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { launchBrowser, withoutBrowser } from '../browser/chromium.ts';
import { signIn } from '../browser/dashboard.ts';
import { accessibilityFaults } from '../browser/faults.ts';
import { organizationPages } from '../browser/pages.ts';
import { raiseAlerts, seedPeople, seedUsage } from '../browser/seed.ts';
import { listeningApp } from '../helpers/app.ts';
import { TestClock } from '../helpers/clock.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { faultOf, keep } from './pictures.ts';

// `npm run test:looks`: photographs every story and every page, and compares them with the pictures in baseline/.
// `-- --update` takes new pictures, to be looked at before they are committed. A browser or a machine that draws text
// differently can't be compared: then the pictures are skipped, and only accessibility is checked.

const isUpdate = process.argv.includes('--update');
const schemes = ['light', 'dark'] as const;
/** The width of each picture of a page, and the schemes. */
const widths = { 375: ['light'], 1440: schemes, 2560: ['light'] } as const;
/** Ways to show a page that leave its backgrounds out, and those pages that would lose most. Paper is as wide as A4 within its margins. */
const reduced = {
  contrast: { width: 1440, media: { forcedColors: 'active' } },
  paper: { width: 700, media: { media: 'print' } },
} as const;
const mostReduced = /^(organizations|service|usage|requests|playground|keys|alerts|batches)$/;
/** Hides identifiers, keys, and examples with the port, which differ in each run. */
const varying = 'code, pre { visibility: hidden !important } * { caret-color: transparent !important }';
const nowMs = Date.parse('2026-11-18T12:00:00Z');
const dayMs = 86_400_000;
/** Only for what never happens: on a busy machine, everything can take twenty times as long as usual. */
const patienceMs = 120_000;
/** More than the time in which the service makes no second forecast. */
const betweenForecastsMs = 700_000;
const startedMs = Date.now();

const faults: string[] = [];
let passed = 0;
let skipped = 0;
let isComparable = true;

async function look(page: Page, name: string): Promise<void> {
  const found = await accessibilityFaults(page);
  await page.addStyleTag({ content: varying });
  const png = await steadyPicture(page);
  let fault = isComparable ? faultOf(name, png) : null;
  if (isUpdate && fault) {
    keep(name, png);
    fault = null;
  }
  if (!isComparable) skipped += 1;
  for (const each of found) faults.push(`${name}: ${each}`);
  if (fault) faults.push(`${name}: ${fault}`);
  if (!fault && found.length === 0 && isComparable) passed += 1;
}

/** Returns a function that resolves when the page has waited for no response for 100 ms. */
function quietness(page: Page): () => Promise<void> {
  const waiting = new Set<Request>();
  let lastMs = 0;
  page.on('request', (request) => waiting.add(request));
  const end = (request: Request): void => {
    waiting.delete(request);
    lastMs = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    const untilMs = performance.now() + patienceMs;
    while (waiting.size > 0 || performance.now() - lastMs < 100) {
      if (performance.now() > untilMs) throw new Error(`${page.url()} waits for ${[...waiting][0]?.url()}`);
      await page.waitForTimeout(20);
    }
  };
}

/** Takes pictures until two in a row are the same: fonts and charts may be drawn late on a busy machine. */
async function steadyPicture(page: Page): Promise<Buffer> {
  const take = () => page.screenshot({ animations: 'disabled', caret: 'hide' });
  await page.evaluate('document.fonts.ready');
  let before = await take();
  for (let n = 0; n < 20; n += 1) {
    await page.waitForTimeout(50);
    const png = await take();
    if (png.equals(before)) return png;
    before = png;
  }
  return before;
}

/** Fields and figures of the service's page whose values differ in each run, and what the pictures show instead. */
const fixed: Readonly<Record<string, unknown>> = {
  latency_ms: 12.3,
  queue_ms: 1.2,
  p50_ms: 12.3,
  p95_ms: 45.6,
  latency_p50: 12.3,
  latency_p95: 45.6,
  hour: Array.from({ length: 60 }, (_, minute) => minute % 7),
  usage_records_waiting: 0,
  version: '1.0.0',
};

/** Replaces latencies and times of the real clock, which the library that keeps the sessions uses. */
function withoutVariation(this: { name?: unknown }, name: string, value: unknown): unknown {
  if (value === null) return value;
  const field = name === 'value' ? String(this.name) : name;
  if (field in fixed) return fixed[field];
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return value;
  const isOfRun = Date.parse(value) >= startedMs - 1_000 && Date.parse(value) <= Date.now();
  return isOfRun ? new Date(nowMs).toISOString() : value;
}

/** Makes the responses of the API the same in each run. To hide a value would not do: columns are as wide as their texts. */
async function fixResponses(context: BrowserContext): Promise<void> {
  await context.route('**/v1/**', async (route) => {
    const response = await route.fetch();
    if (!response.headers()['content-type']?.includes('application/json')) return route.fulfill({ response });
    return route.fulfill({ response, body: JSON.stringify(await response.json(), withoutVariation) });
  });
}

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const stories = join(web, '.ladle/build');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

async function lookAtStories(): Promise<void> {
  const ladle = fileURLToPath(new URL('node_modules/@ladle/react/lib/cli/cli.js', import.meta.url));
  await promisify(execFile)(process.execPath, [ladle, 'build', '--config', '.ladle'], { cwd: web });
  const { stories: all } = JSON.parse(readFileSync(join(stories, 'meta.json'), 'utf8'));
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://x');
    const file = extname(pathname) ? pathname : '/index.html';
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    createReadStream(join(stories, file))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const scheme of [...schemes, 'contrast'] as const) {
    const forcedColors = scheme === 'contrast' ? 'active' : 'none';
    const viewport = { width: 800, height: 600 };
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce', forcedColors });
    page.setDefaultTimeout(patienceMs);
    const quiet = quietness(page);
    for (const story of Object.keys(all)) {
      await page.goto(
        `${origin}/?story=${story}&mode=preview&theme=${scheme === 'contrast' ? 'light' : scheme}`,
      );
      await page.locator('[data-storyloaded]').waitFor({ state: 'attached' });
      // Dialogs are loaded when they open.
      if (story.startsWith('floating--')) await page.locator('dialog, [role$=dialog]').first().waitFor();
      await quiet();
      await look(page, `story-${story}-${scheme}`);
    }
    await page.close();
  }
  server.close();
}

async function lookAtPages(): Promise<void> {
  const seededMs = nowMs - betweenForecastsMs;
  const clock = new TestClock(new Date(seededMs - 355 * dayMs).toISOString());
  await using app = await listeningApp({ clock });
  // Otherwise the service would raise alerts on the way, on a day that depends on how fast the machine is.
  const { alerts } = app.services.alerting;
  const settings = await alerts.settings(app.orgId);
  await alerts.setSettings(app.orgId, { thresholds: [], projection: false });
  await seedUsage(app, clock, seededMs);
  await alerts.setSettings(app.orgId, settings);
  clock.nowMs = nowMs;
  await raiseAlerts(app, app.orgId, nowMs);
  await seedPeople(app);
  await requestEmbeddings(app.address, app.key, 'a text');
  const context = await browser.newContext({
    baseURL: app.address,
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  context.setDefaultTimeout(patienceMs);
  await fixResponses(context);
  const page = await context.newPage();
  const quiet = quietness(page);
  await page.clock.setFixedTime(nowMs);
  await page.goto('/login');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await quiet();
  await look(page, 'page-login-light-1440');
  await signIn(page, app.administrator);
  await page.waitForURL('**/organizations');
  const paths = [
    ...['organizations', 'account', 'users', 'service'].map((name) => [name, `/${name}`] as const),
    ...organizationPages.map((name) => [name, `/organizations/${app.orgId}/${name}`] as const),
    ['docs', '/docs'] as const,
    ['not-found', '/no/such/page'] as const,
  ];
  for (const [width, ofWidth] of Object.entries(widths)) {
    for (const colorScheme of ofWidth) {
      await page.setViewportSize({ width: Number(width), height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [name, path] of paths) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await quiet();
        await page.locator('.animate-pulse, [role=progressbar]').first().waitFor({ state: 'hidden' });
        await look(page, `page-${name}-${colorScheme}-${width}`);
      }
    }
  }
  for (const [way, { width, media }] of Object.entries(reduced)) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', media: 'screen', ...media });
    for (const [name, path] of paths.filter(([name]) => mostReduced.test(name))) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      await quiet();
      await page.locator('.animate-pulse, [role=progressbar]').first().waitFor({ state: 'hidden' });
      await look(page, `page-${name}-${way}`);
    }
  }
}

if (withoutBrowser) {
  console.log(`The pictures are skipped: ${withoutBrowser}`);
  process.exit();
}
const browser = await launchBrowser(['--font-render-hinting=none']);
// Text of every font, which another browser or other fonts draw differently.
const probe = await browser.newPage({ viewport: { width: 300, height: 80 } });
await probe.setContent(
  '<p style="font: 16px sans-serif">Probe ⌘ → – … ✓ ÄÖ</p><p style="font: 16px monospace">0O1lI</p>',
);
const probed = await probe.screenshot();
if (isUpdate) keep('probe', probed);
isComparable = isUpdate || faultOf('probe', probed) === null;
if (!isComparable) console.log('This machine draws text differently from the one that took the pictures');
await probe.close();
await Promise.all([lookAtStories(), lookAtPages()]);
await browser.close();
for (const fault of faults) console.log(fault);
console.log(`${passed} passed, ${faults.length} failed, ${skipped} skipped`);
process.exitCode = faults.length > 0 ? 1 : 0;
