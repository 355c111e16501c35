import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, signOut } from './dashboard.ts';

describe('the sign-in page', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const button = (page: Page) => page.getByRole('button', { name: 'Sign in' });

  test('leads a signed-in user to the organizations, or to the page that they wanted', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login');
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL('**/organizations');
    await page.goto('/login');
    await page.waitForURL('**/organizations');
    await page.getByRole('heading', { name: 'Organizations' }).waitFor();
    await page.goto('/login?next=%2Faccount');
    await page.waitForURL('**/account');
    await page.goto('/login?next=%2F%2Fevil.example');
    await page.waitForURL(`${dashboard.app.address}/organizations`);
    await signOut(page, 'Administrator');
    await button(page).waitFor();
  });

  test('keeps its button busy until the next page is shown', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login');
    await button(page).waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/v1/me', async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest('**/v1/me');
    await signIn(page, dashboard.app.administrator);
    await asked;
    assert.equal(await button(page).getAttribute('aria-busy'), 'true');
    assert.equal(await button(page).isDisabled(), true);
    release();
    await page.getByRole('heading', { name: 'Organizations' }).waitFor();
  });

  test('says that the session has ended, and returns to the page', async () => {
    const page = await dashboard.newPage();
    const path = `/organizations/${dashboard.app.orgId}/keys`;
    await page.goto(path);
    const ended = page.getByText('Your session has ended. Sign in again.');
    await button(page).waitFor();
    assert.equal(await ended.count(), 0);
    await signIn(page, dashboard.app.administrator);
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByLabel('Name').fill('website');
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Create API Key', exact: true }).click();
    await ended.waitFor();
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL(`**${path}`);
  });

  test('takes the typed address along to the page for a forgotten password', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    assert.equal(await page.getByLabel('Email').inputValue(), 'ada@example.com');
    assert.doesNotMatch(page.url(), /ada/);
  });
});
