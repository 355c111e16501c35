import { openDashboard, signIn } from './dashboard.ts';
import { accessibilityFaults, layoutShift } from './faults.ts';
import { organizationPages, pagesBeforeSignIn, pagesOfEverybody } from './pages.ts';
import { seedAlert, seedPeople, seedTargets } from './seed.ts';

await using dashboard = await openDashboard();
if (process.argv[2] !== 'new') {
  await seedPeople(dashboard.app);
  await seedTargets(dashboard.app, 'https://hooks.invalid/first');
  await seedAlert(dashboard.app);
}
const { orgId, administrator, services } = dashboard.app;
const {
  data: [key],
} = await services.keys.list(orgId, {});
const all = [
  ...pagesOfEverybody,
  ...organizationPages.map((n) => `/organizations/${orgId}/${n}`),
  ...['open', 'history', 'rules', 'deliveries'].map((t) => `/organizations/${orgId}/alerts?tab=${t}`),
  ...['keys', 'models', 'limits', 'alerts'].map((t) => `/organizations/${orgId}/usage?tab=${t}`),
  ...['tokens', 'latency', 'errors'].map((t) => `/organizations/${orgId}/usage?view=${t}`),
  `/organizations/${orgId}/keys/${key!.keyId}`,
  '/docs',
];
for (const width of [1440, 375]) {
  const page = await dashboard.newPage({
    viewport: { width, height: 900 },
    colorScheme: width === 375 ? 'dark' : 'light',
  });
  const look = async (path: string) => {
    await page.goto(path);
    await page
      .getByRole('heading', { level: 1 })
      .first()
      .waitFor({ timeout: 8000 })
      .catch(() => console.log(path, 'NO H1'));
    await page.waitForLoadState('networkidle');
    const shift = await layoutShift(page);
    const f = process.argv.includes('axe') ? await accessibilityFaults(page) : [];
    const src = await page.evaluate<string[]>(
      `new Promise((resolve) => { const out = []; const ob = new PerformanceObserver((l) => { for (const e of l.getEntries()) if (e.value > 0.003) out.push(e.value.toFixed(4) + ' @' + Math.round(e.startTime) + ': ' + e.sources.map((x) => (x.node ? (x.node.nodeName + '.' + String(x.node.className||'').slice(0,40) + ' "' + (x.node.textContent||'').slice(0,30)) : 'gone') + '" ' + [x.previousRect.y, x.previousRect.height].map(Math.round) + '->' + [x.currentRect.y, x.currentRect.height].map(Math.round)).join(' | ')); }); ob.observe({ type: 'layout-shift', buffered: true }); setTimeout(() => resolve(out), 60); })`,
    );
    const w = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    console.log(
      width,
      path.replace(orgId, 'ORG'),
      'shift',
      shift.toFixed(4),
      w > 0 ? `TOO WIDE ${w}` : '',
      [...new Set(f)].slice(0, 12),
    );
    if (shift > 0.002) console.log('     ' + src.join('\n     '));
  };
  for (const p of pagesBeforeSignIn) await look(p);
  await page.goto('/login');
  await signIn(page, administrator);
  await page.waitForURL('**/organizations');
  for (const p of all.filter((x) => /requests|errors|keys\/|members|plan|rules|usage$/.test(x)))
    await look(p);
}
