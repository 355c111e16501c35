import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type ListeningApp, listeningApp } from '../helpers/app.ts';
import { launchBrowser } from './chromium.ts';
import { complaintsOf } from './faults.ts';

export interface Dashboard extends AsyncDisposable {
  readonly app: ListeningApp;
  /** A page of a window of its own, without a session. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

type Credentials = { readonly email: string; readonly password: string };

/** The whole service, and a browser to use it with, which may report no error on any page until its end. */
export async function openDashboard(
  options: Parameters<typeof listeningApp>[0] = {},
  browserArguments: readonly string[] = [],
): Promise<Dashboard> {
  const [app, browser]: [ListeningApp, Browser] = await Promise.all([
    listeningApp(options),
    launchBrowser(browserArguments),
  ]);
  const complaints: string[] = [];
  return {
    app,
    async newPage(contextOptions = {}) {
      const context = await browser.newContext({
        baseURL: app.address,
        // A click waits until its button rests.
        reducedMotion: 'reduce',
        ...contextOptions,
      });
      // Only for what never happens: on a busy machine, everything can take twenty times as long as usual.
      // Shorter than a check is repeated, so that one step that waits for nothing does not use all of that time.
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      complaintsOf(page, complaints);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await app[Symbol.asyncDispose]();
      assert.equal(complaints.join('\n'), '', 'the browser reported errors');
    },
  };
}

export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signOut(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** What appears at the edge of the window. Screen readers get the text of a new one twice. */
export const messages = (page: Page): Locator => page.getByRole('region', { name: /^Notifications/ });

/** Returns a property of an element's style as the browser computes it, such as a colour. */
export const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((found, name) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle(of: unknown): { getPropertyValue(name: string): string };
    };
    return getComputedStyle(found).getPropertyValue(name);
  }, property);

export const textOf = async (element: Locator): Promise<string> => (await element.textContent()) ?? '';
