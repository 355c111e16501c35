import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, textOf } from './dashboard.ts';

const password = 'correct horse battery';
const contact = 'support@example.com';
/** Not localhost, and so without the clipboard that browsers provide only over https. */
const host = 'embedgate.example';

describe('help where people could get stuck in the dashboard', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(
    await openDashboard({ environment: { SIGN_UP: 'open', CONTACT_EMAIL: contact } }, [
      `--host-resolver-rules=MAP ${host} 127.0.0.1`,
    ]),
  );
  const address = `http://${host}:${dashboard.app.port}`;
  const page = await dashboard.newPage({ baseURL: address });

  test('a new account sees the address to write to, and has the organization once an administrator has added it', async () => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Your name').fill('Mallory');
    await page.getByLabel('Email').fill('mallory@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText('You don’t belong to an organization yet.').waitFor();
    assert.equal(await page.getByRole('link', { name: contact }).getAttribute('href'), `mailto:${contact}`);

    const { administrator, services, orgId } = dashboard.app;
    const admin = await dashboard.newPage();
    await admin.goto('/users');
    await signIn(admin, administrator);
    const row = admin.getByRole('row', { name: /mallory@example\.com/ });
    await row.getByText('no organization').waitFor();
    const { userId } = await services.users.byEmail('mallory@example.com');
    await services.members.add(orgId, userId, 'admin');
    await page.reload();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });

  test('an invalid invitation link does not claim that there is an invitation', async () => {
    const guest = await dashboard.newPage();
    await guest.goto('/invite#token=not-one');
    await guest.getByRole('alert').waitFor();
    await guest.getByRole('heading', { name: 'Invitation not valid' }).waitFor();
    assert.equal(await guest.getByRole('button', { name: 'Try again' }).count(), 0);
    await guest.getByRole('link', { name: 'Go to sign-in' }).click();
    await guest.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('Copy works over plain HTTP', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    assert.equal(await page.evaluate('isSecureContext'), false);
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByLabel('Name').fill('website');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API Key', exact: true }).click();
    const secret = await textOf(page.getByTestId('secret'));
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('button', { name: /saved my key|kept the key/ }).click();
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.press('ControlOrMeta+v');
    assert.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), secret);
  });

  test('instructions stay visible when the browser refuses to copy', async () => {
    await page.clock.install();
    await page.goto(`/organizations/${dashboard.app.orgId}/settings`);
    await page.evaluate('document.execCommand = () => false');
    await page.getByRole('button', { name: 'Copy the organization ID' }).click();
    const hint = page.getByRole('alert').getByText(/Select the text and copy it yourself/);
    await hint.waitFor();
    await page.clock.fastForward(10_000);
    assert.equal(await hint.isVisible(), true);
  });

  test('an unknown address returns a 404 page to a browser, and JSON to a program', async () => {
    for (const path of ['/keys', '/settings', '/nothing/like/it']) {
      const response = await page.goto(path);
      assert.equal(response?.status(), 404);
      assert.match((await response?.headerValue('content-security-policy')) ?? '', /default-src 'none'/);
      await page.getByText('This page does not exist').waitFor();
      await page.getByRole('link', { name: 'your organizations' }).waitFor();
    }
    for (const [path, accept] of [
      ['/keys', '*/*'],
      ['/keys', 'application/json'],
      ['/robots.txt', 'text/html'],
      ['/v1/nothing', 'text/html'],
    ] as const) {
      const response = await fetch(dashboard.app.address + path, { headers: { accept } });
      assert.equal(response.status, 404);
      assert.equal(((await response.json()) as { error: string }).error, 'not_found');
    }
    const response = await fetch(`${dashboard.app.address}/keys`, {
      method: 'POST',
      headers: { accept: 'text/html' },
    });
    assert.match(response.headers.get('content-type') ?? '', /json/);
  });
});
