import type { Locator, Page } from 'playwright-core';
import type { Seeded } from './seed-organizations.ts';

// The cards of the page `/organizations`, and figures as it writes them.

export const counts = new Intl.NumberFormat('en-US');

export const card = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });

/** A card that has loaded everything it shows. */
export async function loadedCard(page: Page, name: string): Promise<Locator> {
  await card(page, name).scrollIntoViewIfNeeded();
  await card(page, name).getByRole('listitem').first().waitFor();
  await card(page, name).getByText('Loading…').first().waitFor({ state: 'detached' });
  return card(page, name);
}

/** Throws unless a card shows what was counted in the last 28 days. */
export async function assertTrend(shown: Locator, { last }: Seeded): Promise<void> {
  await shown.getByText(counts.format(last), { exact: true }).waitFor();
}
