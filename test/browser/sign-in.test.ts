import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, signOut } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';

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
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
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
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });

  test('is asked for above the page when the session has ended, and what was typed stays', async () => {
    const page = await dashboard.newPage();
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await signIn(page, dashboard.app.administrator);
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByLabel('Name').fill('website');
    await page.context().clearCookies();
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create API Key', exact: true });
    await create.click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await signIn(page, dashboard.app.administrator);
    await ended.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name').inputValue(), 'website');
    assert.equal(await page.getByText('Invalid API key').count(), 0);
    await create.click();
    await page.getByTestId('secret').waitFor();
  });

  test('follows in every tab when one of them signs out', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login');
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL('**/organizations');
    const other = await page.context().newPage();
    await other.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await other.getByRole('row', { name: /first key/ }).waitFor();
    await signOut(page, 'Administrator');
    await other.waitForURL('**/login?ended=yes');
    await other.getByText('Your session has ended. Sign in again.').waitFor();
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

describe('the sign-in page without passwords', { skip: withoutBrowser }, async () => {
  const environment = {
    PUBLIC_URL: 'http://embedgate.test',
    PASSWORD_SIGN_IN: 'off',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'embedgate',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_NAME: 'Acme login',
  };
  const dashboard = untilEnd(await openDashboard({ environment }));

  test('offers only the provider, and the form at the address that the command line prints', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Continue with Acme login' }).waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0);
    assert.equal(await page.getByRole('link').count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.goto('/login?password=yes');
    await page.getByLabel('Email').waitFor();
  });
});
