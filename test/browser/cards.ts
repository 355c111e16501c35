import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Seeded } from './seed-organizations.ts';

// The cards of the page `/organizations`, and figures as it writes them.

export const counts = new Intl.NumberFormat('en-US');
export const shares = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const changes = new Intl.NumberFormat('en-US', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
});

export const card = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });

/** A card that has come into view and has loaded everything it shows. */
export async function loadedCard(page: Page, name: string): Promise<Locator> {
  await card(page, name).scrollIntoViewIfNeeded();
  await card(page, name).getByRole('img').waitFor();
  return card(page, name);
}

/** Throws unless a card shows what was counted, compares it with the days before, and says the same in words. */
export async function assertTrend(shown: Locator, { last, previous }: Seeded): Promise<void> {
  await shown.getByText(`${counts.format(last)} requests`, { exact: true }).waitFor();
  await shown.getByText(`${changes.format(last / previous - 1)} vs. the 28 days before`).waitFor();
  const label = await shown.getByRole('img').getAttribute('aria-label');
  assert.match(
    label ?? '',
    new RegExp(`^${counts.format(last)} requests were counted from .*, days in UTC\\.`),
  );
  assert.match(label ?? '', /The busiest day was .* with \d.*\. Today has \d.* so far\.$/);
}
