import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type ListeningApp, listeningApp } from '../helpers/app.ts';
import { launchBrowser, withoutBrowser } from './browser.ts';
import { accessibilityFaults, complaintsOf } from './faults.ts';

describe('the pages before the sign-in', { skip: withoutBrowser }, () => {
  let app: ListeningApp;
  let browser: Browser;
  before(async () => {
    [app, browser] = await Promise.all([listeningApp(), launchBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await app?.[Symbol.asyncDispose]();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const path of ['/login', '/login/forgot', '/login/reset?token=x']) {
      test(`${path} works for everybody, ${colorScheme}`, async () => {
        await using context = await browser.newContext({ colorScheme });
        const page = await context.newPage();
        const complaints = complaintsOf(page);
        await page.goto(app.address + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        assert.deepEqual(await accessibilityFaults(page), []);
        assert.deepEqual(complaints, []);
      });
    }
  }
});
