import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Collects errors of the browser from now on: failing scripts, and what the content security policy blocks. */
export function complaintsOf(page: Page, complaints: string[]): void {
  page.on('pageerror', (reason) => complaints.push(`${page.url()}: ${reason.stack ?? reason.message}`));
  page.on('console', (message) => {
    // The page handles a response such as 401.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) complaints.push(`${page.url()}: ${message.text()}`);
  });
}

/** Throws if a page can be scrolled sideways. */
export async function assertFits(page: Page, path: string): Promise<void> {
  const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  assert.ok(tooWide <= 0, `${path} is ${tooWide} px wider than its window`);
  // Nothing shows that a table goes on beyond its frame.
  const cut = await page.evaluate<string[]>(
    `[...document.querySelectorAll('section[aria-label$=", table"]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ ariaLabel, scrollWidth, clientWidth }) => ariaLabel + ': ' + (scrollWidth - clientWidth) + ' px')`,
  );
  assert.deepEqual(cut, [], `${path} scrolls sideways`);
}

/** Resolves when what fades in has its colours. What turns for as long as something loads never ends. */
const settled = `Promise.all(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished.catch(() => {})))`;

/** Faults of any impact for people who use a screen reader, a keyboard or high contrast, as `rule: where`. */
export async function accessibilityFaults(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(settled);
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  // Without the details of what is right, which take long on large pages.
  const options = { resultTypes: ['violations' as const], ...(rules.length > 0 && { runOnly: [...rules] }) };
  const { violations } = await page.evaluate(
    (asked) => (globalThis as unknown as { axe: typeof axe }).axe.run(asked),
    options,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** The faults of a page in light and in dark, whose colours alone differ. */
export async function faultsOfThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const ofLight = await accessibilityFaults(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const ofDark = await accessibilityFaults(page, ['color-contrast', 'link-in-text-block']);
  return [...ofLight, ...ofDark.map((fault) => `dark: ${fault}`)];
}

const shiftScript = `new Promise((resolve) => {
  let sum = 0;
  const add = (list) => { for (const { value } of list.getEntries()) sum += value; };
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  // The browser reports the buffered entries in a task that runs before this one.
  setTimeout(() => resolve(sum), 50);
})`;

/** The most that a page may move while it loads. Up to 0.1 counts as good: https://web.dev/articles/cls */
export const maxShift = 0.02;

/** How much of the page has moved while it loaded: the sum of the browser's layout-shift scores, 0 if nothing has. */
export const layoutShift = (page: Page): Promise<number> => page.evaluate<number>(shiftScript);
