import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type ListeningApp, listeningApp } from '../helpers/app.ts';
import { TestClock } from '../helpers/clock.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { startWebhookReceiver } from '../helpers/webhook-receiver.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { organizationPages } from './pages.ts';
import { seedPeople, seedTargets, seedUsage } from './seed.ts';
import { seedOrganizations } from './seed-organizations.ts';

// `npm run screenshots`: every page in light, in dark and on a phone, into docs/screenshots.

const directory = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const desktop = { width: 1_280, height: 800 };
const variants: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: desktop },
  dark: { colorScheme: 'dark', viewport: desktop },
  mobile: { colorScheme: 'light', viewport: { width: 375, height: 760 }, isMobile: true },
};
const yearMs = 355 * 86_400_000;

const clock = new TestClock(new Date(Date.now() - yearMs).toISOString());
await using receiver = await startWebhookReceiver();
await using dashboard = await openDashboard({
  clock,
  environment: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' },
});
await seedTargets(dashboard.app, receiver.url);
await seedUsage(dashboard.app, clock);
await seedOrganizations(dashboard.app, clock);
await seedPeople(dashboard.app);
await seedRequests(dashboard.app);
// An organization before its first request.
await using fresh = await listeningApp();
mkdirSync(directory, { recursive: true });

for (const [variant, options] of Object.entries(variants)) {
  const page = await dashboard.newPage(options);
  const shoot = (name: string) => page.screenshot({ path: `${directory}${name}-${variant}.png` });
  await visit(page, '/login');
  await shoot('login');
  await signIn(page, dashboard.app.administrator);
  await page.waitForURL('**/organizations');
  for (const name of ['organizations', 'account', 'users']) {
    await visit(page, `/${name}`);
    await shoot(name);
  }
  for (const name of organizationPages.filter((each) => each !== 'start')) {
    await visit(page, `/organizations/${dashboard.app.orgId}/${name}`);
    if (name === 'playground') {
      await page.getByRole('button', { name: 'Embed', exact: true }).click();
      await page.getByRole('table').waitFor();
    }
    await shoot(name);
  }
  const first = await dashboard.newPage({ ...options, baseURL: fresh.address });
  await visit(first, '/login');
  await signIn(first, fresh.administrator);
  await first.waitForURL('**/organizations');
  await visit(first, `/organizations/${fresh.orgId}/start`);
  await first.screenshot({ path: `${directory}start-${variant}.png` });
}
console.log(`Every page is in ${directory}`);

/** Requests of all outcomes, for the log. */
async function seedRequests({ address, key }: ListeningApp): Promise<void> {
  for (let n = 0; n < 120; n += 1) {
    const texts = Array.from({ length: 1 + ((n * 7) % 30) }, (_, i) => `text ${n % 9 < 4 ? n % 3 : n} ${i}`);
    await requestEmbeddings(address, n % 23 === 9 ? `${key}0` : key, n % 17 === 4 ? [] : texts);
  }
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}
