import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { statusWith } from '../helpers/requests.ts';
import { totpCode } from '../helpers/totp.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, signOut, textOf } from './dashboard.ts';

const password = 'correct horse battery';

describe('people with different rights', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard({ environment: { SIGN_UP: 'open' } }));
  const owner = await dashboard.newPage();
  await owner.goto('/login');
  await signIn(owner, dashboard.app.administrator);
  await owner.waitForURL('**/organizations');
  const pathOf = (page: string): string => `/organizations/${dashboard.app.orgId}/${page}`;

  test('an invited viewer joins by the link, sees the keys, and cannot create any', async () => {
    await owner.goto(pathOf('members'));
    await owner.getByRole('button', { name: 'Invite a member' }).click();
    await owner.getByLabel('Email').fill('grace@example.com');
    await owner.getByRole('dialog').getByLabel('Role').selectOption('viewer');
    await owner.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await textOf(owner.getByTestId('secret'));

    const viewer = await dashboard.newPage();
    await viewer.goto(link);
    await viewer.getByLabel('Your name').fill('Grace');
    await viewer.getByLabel('Password').fill(password);
    await viewer.getByRole('button', { name: 'Join' }).click();
    await viewer.waitForURL(`**${pathOf('usage')}`);
    await viewer.goto(pathOf('keys'));
    await viewer.getByRole('row', { name: /first key/ }).waitFor();
    assert.equal(await viewer.getByRole('button', { name: /Create API Key|Rotate|Revoke/ }).count(), 0);
    const status = await viewer.evaluate(async (path) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`/v1${path}`, { method: 'POST', headers, body: '{"name":"mine"}' })).status;
    }, pathOf('keys'));
    assert.equal(status, 403);
    await owner.goto(pathOf('members'));
    const role = owner.getByLabel('Role of grace@example.com').locator('option:checked');
    assert.equal(await role.textContent(), 'Viewer');
    await viewer.goto(pathOf('playground'));
    await viewer.getByText('Your role is read-only.').waitFor();
    await viewer.goto(pathOf('alerts?tab=rules'));
    await viewer.getByText('Owners and admins can change these settings.').waitFor();
    assert.equal(await viewer.getByRole('button', { name: /Save|Add|Remove/ }).count(), 0);
    for (const path of ['/users', '/installation-keys']) {
      await viewer.goto(path);
      await viewer.getByText('This page does not exist, or you do not have access to it.').waitFor();
    }
  });

  test('an invitation stands among the members, and is replaced when it is sent again', async () => {
    await owner.goto(pathOf('members'));
    await owner.getByRole('button', { name: 'Invite a member' }).click();
    await owner.getByLabel('Email').fill('rosa@example.com');
    await owner.getByRole('button', { name: 'Invite', exact: true }).click();
    const first = await textOf(owner.getByTestId('secret'));
    await owner.getByRole('button', { name: 'Done' }).click();
    const row = owner.getByRole('row', { name: /rosa@example\.com/ });
    await row.getByText(/^Invited, expires in [67] days$/).waitFor();
    await row.getByRole('button', { name: 'Resend the invitation of rosa@example.com' }).click();
    await owner.getByRole('button', { name: 'Invite', exact: true }).click();
    assert.notEqual(await textOf(owner.getByTestId('secret')), first);
    await owner.getByRole('button', { name: 'Done' }).click();
    assert.equal(await row.count(), 1);
    await row.getByRole('button', { name: 'Withdraw the invitation of rosa@example.com' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('a stranger sees as little of an organization as of one that does not exist', async () => {
    await owner.goto('/users');
    await owner.getByRole('button', { name: 'Create a user' }).click();
    await owner.getByLabel('Email').fill('eve@example.com');
    await owner.getByRole('button', { name: 'Create', exact: true }).click();
    const given = await textOf(owner.getByTestId('secret'));

    const stranger = await dashboard.newPage();
    await stranger.goto(pathOf('usage'));
    await signIn(stranger, { email: 'eve@example.com', password: given });
    await stranger.getByText('This page does not exist, or you do not have access to it.').waitFor();
    await stranger.goto('/organizations');
    await stranger.getByText('You don’t belong to an organization yet.').waitFor();
  });

  test('a member sees the plans and the address to write to for another one, and can switch to none', async () => {
    const { users, members } = dashboard.app.services;
    const { user, password: given } = await users.create({ email: 'ada@example.com', name: 'Ada' });
    await members.add(dashboard.app.orgId, user.userId, 'member');
    const member = await dashboard.newPage();
    await member.goto(pathOf('plan'));
    await signIn(member, { email: user.email, password: given });
    await member.getByText('To switch to another plan, write to the operator of this service.').waitFor();
    assert.equal(await member.getByRole('button', { name: /Switch|Change the limit/ }).count(), 0);
  });

  test('a failed sign-in with a provider shows the reason', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login?error=access_denied');
    await page.getByRole('alert').getByText('The provider was not allowed to sign you in.').waitFor();
    await page.goto('/login?error=ACCOUNT_DISABLED');
    await page.getByRole('alert').getByText('This account is disabled.').waitFor();
  });

  test('the dialog that removes a member lists their keys, and gives them to another one', async () => {
    const { users, members, keys } = dashboard.app.services;
    const { orgId } = dashboard.app;
    const { user } = await users.create({ email: 'leaver@example.com', name: 'Leaver' });
    await members.add(orgId, user.userId, 'member');
    const { key } = await keys.create({ orgId, userId: user.userId, name: 'Nightly import' });
    await owner.goto(pathOf('members'));
    await owner.getByRole('button', { name: 'Remove leaver@example.com' }).click();
    const dialog = owner.getByRole('alertdialog');
    await dialog.getByRole('listitem').getByText('Nightly import').waitFor();
    await dialog
      .getByLabel('What happens to these API keys')
      .selectOption({ label: `Give them to ${dashboard.app.administrator.email}` });
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const found = await keys.find(orgId, key.keyId);
    assert.deepEqual([found?.status, found?.userId], ['active', dashboard.app.administrator.userId]);
  });

  test('members can leave an organization, except for the last owner', async () => {
    const viewer = await dashboard.newPage();
    await viewer.goto(pathOf('members'));
    await signIn(viewer, { email: 'grace@example.com', password });
    await viewer.getByRole('row', { name: /Grace/ }).waitFor();
    assert.equal(await viewer.getByRole('button', { name: /^Remove/ }).count(), 0);
    await viewer.getByRole('button', { name: 'Leave the organization' }).click();
    await viewer.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await viewer.getByText('You don’t belong to an organization yet.').waitFor();

    await owner.goto(pathOf('members'));
    await owner.getByRole('button', { name: 'Leave the organization' }).click();
    await owner.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await owner.getByRole('alertdialog').getByRole('alert').waitFor();
  });

  test('an administrator can create a reset password link', async () => {
    await owner.goto('/users');
    await owner.getByRole('button', { name: 'Actions on eve@example.com' }).click();
    await owner.getByRole('menuitem', { name: 'Reset password' }).click();
    await owner.getByRole('alertdialog').getByRole('button', { name: 'Reset password' }).click();
    const link = await textOf(owner.getByTestId('secret'));
    const forgetful = await dashboard.newPage();
    await forgetful.goto(link);
    await forgetful.getByLabel('New password').fill(password);
    await forgetful.getByRole('button', { name: 'Change password' }).click();
    await forgetful.getByText('Your password has been changed.').waitFor();
    await forgetful.getByRole('link', { name: 'Sign in' }).click();
    await signIn(forgetful, { email: 'eve@example.com', password });
    await forgetful.waitForURL('**/organizations');
  });

  test('a second factor can be set up, and is required at the next sign-in', async () => {
    const page = await dashboard.newPage();
    await page.goto('/login');
    await signIn(page, { email: 'grace@example.com', password });
    await page.waitForURL('**/organizations');
    await page.goto('/account');
    await page.getByRole('button', { name: 'Set up: Two-factor sign-in' }).click();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    const key = await textOf(page.getByTestId('totp-secret'));
    // Someone who reloads the page goes on with the same secret.
    await page.reload();
    assert.equal(await textOf(page.getByTestId('totp-secret')), key);
    await page.getByLabel('Six digits').fill(totpCode(`otpauth://totp/?secret=${key}`, Date.now()));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('On', { exact: true }).waitFor();

    await signOut(page, 'Grace');
    await signIn(page, { email: 'grace@example.com', password });
    // The next code: each works once, and this one is valid already.
    await page.getByLabel(/Six digits/).fill(totpCode(`otpauth://totp/?secret=${key}`, Date.now() + 30_000));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/organizations');
  });

  /** Chooses an action on a user in the list, and confirms it. */
  const act = async (email: string, name: string, decide = async () => {}) => {
    await owner.getByRole('button', { name: `Actions on ${email}` }).click();
    await owner.getByRole('menuitem', { name: `${name}…` }).click();
    await decide();
    const dialog = owner.getByRole('alertdialog');
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  test('an administrator disables, enables, promotes and deletes a user', async () => {
    const { users, keys } = dashboard.app.services;
    const email = 'henry@example.com';
    const { user, password: given } = await users.create({ email });
    const { orgId, address } = dashboard.app;
    const { secret } = await keys.create({ orgId, userId: user.userId, name: 'Henry’s key' });
    await owner.goto('/users');
    const row = owner.getByRole('row', { name: email });
    await act(email, 'Disable');
    await row.getByText('disabled').waitFor();
    const henry = await dashboard.newPage();
    await henry.goto('/login');
    await signIn(henry, { email, password: given });
    await henry.getByRole('alert').getByText('This account is disabled').waitFor();
    assert.equal(await statusWith(address, secret), 200);

    await act(email, 'Enable');
    await row.getByText('disabled').waitFor({ state: 'detached' });
    await signIn(henry, { email, password: given });
    await henry.waitForURL('**/organizations');
    await act(email, 'Make administrator');
    await row.getByText('administrator').waitFor();
    await henry.goto('/users');
    await henry.getByRole('row', { name: email }).waitFor();
    await act(email, 'Remove administrator');
    await act(email, 'Sign out everywhere');
    await henry.goto('/users');
    await henry.getByRole('heading', { name: 'Sign in' }).waitFor();

    await act(email, 'Delete', () => owner.getByLabel('Also revoke the API keys').check());
    await row.waitFor({ state: 'detached' });
    assert.equal(await statusWith(address, secret), 401);
    await owner.getByRole('button', { name: 'Actions on admin@embedgate.internal' }).click();
    await owner.getByRole('menuitem', { name: 'Reset password' }).waitFor();
    assert.equal(await owner.getByRole('menuitem', { name: /Disable|Delete/ }).count(), 0);
    await owner.keyboard.press('Escape');
  });

  test('people see where they are signed in, and end their other sessions', async () => {
    const email = 'iris@example.com';
    const { password: given } = await dashboard.app.services.users.create({ email });
    const signedIn = async (userAgent: string) => {
      const page = await dashboard.newPage({ userAgent });
      await page.goto('/login');
      await signIn(page, { email, password: given });
      await page.waitForURL('**/organizations');
      return page;
    };
    const [laptop, phone, tablet] = [
      await signedIn('Laptop/1.0'),
      await signedIn('Phone/2.0'),
      await signedIn('Tablet/3.0'),
    ];
    await laptop.goto('/account');
    await laptop.getByRole('row', { name: /Laptop.*127\.0\.0\.1.*This device/ }).waitFor();
    await laptop.getByRole('button', { name: 'End the session of Phone' }).click();
    await laptop.getByRole('row', { name: /Phone/ }).waitFor({ state: 'detached' });
    await phone.goto('/account');
    await phone.getByRole('heading', { name: 'Sign in' }).waitFor();
    await tablet.goto('/account');
    await tablet.getByRole('row', { name: /Tablet/ }).waitFor();
    await laptop.getByRole('button', { name: 'End all other sessions' }).click();
    await laptop.getByRole('row', { name: /Tablet/ }).waitFor({ state: 'detached' });
    await tablet.goto('/account');
    await tablet.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await laptop.getByRole('button', { name: 'End all other sessions' }).count(), 0);
  });
});
