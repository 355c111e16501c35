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

  test('continues in every tab after a sign-in in one of them, and leaves those of another person', async () => {
    const { services, address, orgId, administrator } = dashboard.app;
    const page = await dashboard.newPage();
    await page.goto('/login');
    await signIn(page, administrator);
    await page.waitForURL('**/organizations');
    const other = await page.context().newPage();
    const type = async () => {
      await other.goto(`/organizations/${orgId}/playground`);
      await other.getByLabel('Texts, one per line').fill('a secret text');
    };
    const ended = (of: Page) => of.getByRole('dialog', { name: 'Your session has ended' });
    /** Ends the session. Both tabs notice it when they ask for something. */
    const end = async () => {
      await page.context().clearCookies();
      // One may have noticed it already, and lie behind the dialog.
      await page.locator('a[title=Members]').dispatchEvent('click');
      await other.locator('button[type=submit]').first().dispatchEvent('click');
      for (const each of [page, other]) await ended(each).waitFor();
    };
    await type();
    await end();
    await signIn(page, administrator);
    for (const each of [page, other]) await ended(each).waitFor({ state: 'detached' });
    assert.equal(await other.getByLabel('Texts, one per line').inputValue(), 'a secret text');
    await page.getByRole('row', { name: /Administrator/ }).waitFor();

    const email = 'grace@example.com';
    const { password } = await services.users.create({ email, name: 'Grace' });
    await end();
    await signIn(page, { email, password });
    for (const each of [page, other]) {
      await each.waitForURL(`${address}/organizations`);
      await each.getByText('You don’t belong to an organization yet.').waitFor();
    }

    // Nor one that has not noticed.
    await page.context().clearCookies();
    await page.goto('/login');
    await signIn(page, administrator);
    await other.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    assert.equal(await other.getByText('You don’t belong').count(), 0);
  });

  test('asks for nothing that is refused before someone has signed in', async () => {
    const page = await dashboard.newPage();
    const refused: string[] = [];
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
    for (const path of ['/login', '/', `/organizations/${dashboard.app.orgId}/usage`]) {
      await page.goto(path);
      await button(page).waitFor();
    }
    assert.deepEqual(refused, []);
    await signIn(page, dashboard.app.administrator);
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await signOut(page, 'Administrator');
    refused.length = 0;
    await page.reload();
    await button(page).waitFor();
    assert.deepEqual(refused, []);
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
