import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Collects errors of the browser from now on: failing scripts, and what the content security policy blocks. */
export function complaintsOf(page: Page, complaints: string[]): void {
  page.on('pageerror', (reason) => complaints.push(reason.message));
  page.on('console', (message) => {
    // The page handles a response such as 401.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
  });
}

/** Serious faults for people who use a screen reader, a keyboard or high contrast, as `rule: where`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
