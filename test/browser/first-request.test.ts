import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { batchClient, jsonl, line } from '../helpers/batch-client.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, textOf } from './dashboard.ts';

const run = promisify(execFile);

// What the screen says is enough: each test types and runs only that.

describe('someone with a fresh installation', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { administrator } = dashboard.app;
  const page = await dashboard.newPage();
  await page.goto('/');
  await signIn(page, administrator);
  await page.getByRole('heading', { name: 'Send your first request' }).waitFor();
  // Gone after a reload.
  await page.evaluate('globalThis.isSame = true');

  test('sees why a request was refused', async () => {
    const services = dashboard.app.services;
    await page.getByRole('button', { name: 'Create API Key' }).click();
    const secret = await textOf(page.getByTestId('secret'));
    const command = await textOf(page.getByLabel('Example'));
    assert.ok(command.includes(secret));
    await page.getByText('Waiting for your first request…').waitFor();
    const { data } = await services.keys.list(dashboard.app.orgId, {});
    const created = data.find(({ name }) => name === 'my first app');
    await services.keys.revoke(created?.keyId ?? '');
    await run('sh', ['-c', command]);
    await page.getByText('401: The key was revoked.').waitFor();
  });

  test('creates a key, runs the shown command, and sees that the request has arrived', async () => {
    await page.reload();
    await page.evaluate('globalThis.isSame = true');
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByTestId('secret').waitFor();
    const { stdout } = await run('sh', ['-c', await textOf(page.getByLabel('Example'))]);
    assert.match(stdout, /"embedding"/);
    await page.getByText(/^Received\. 200 in .*1 request counted\.$/).waitFor();
    await page.getByText('Step 3 of 3').waitFor();
    assert.equal(await page.evaluate('globalThis.isSame'), true);
  });
});

describe('the first request of an organization', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { administrator, address, services, key, orgId } = dashboard.app;
  const context = (await dashboard.newPage()).context();
  const signedIn = await context.newPage();
  await signedIn.goto('/login');
  await signIn(signedIn, administrator);
  await signedIn.waitForURL('**/organizations');

  /** Opens the pages on which people wait, sends a request, and expects each page to turn green. */
  const assertGreen = async (paths: readonly string[], receipt: string, send: () => Promise<unknown>) => {
    const pages = await Promise.all(paths.map(() => context.newPage()));
    for (const [i, page] of pages.entries()) {
      await page.goto(paths[i] ?? '');
      await page.getByRole('heading', { name: 'Send your first request' }).waitFor();
      await page.evaluate('globalThis.isSame = true');
    }
    await send();
    for (const page of pages) {
      await page.getByRole('status').getByText(receipt).waitFor();
      await page.getByText('Step 3 of 3').waitFor();
      assert.equal(await page.evaluate('globalThis.isSame'), true);
      await page.close();
    }
  };
  const newOrganization = async (name: string) => {
    const { orgId } = await services.organizations.create({ name });
    const paths = ['usage', 'start'].map((page) => `/organizations/${orgId}/${page}`);
    const { secret } = await services.keys.create({ orgId, userId: administrator.userId, name: 'a key' });
    return { orgId, paths, secret };
  };

  test('with the key that the terminal printed turns the first page green', async () => {
    const paths = ['/organizations', `/organizations/${orgId}/start`];
    await assertGreen(paths, 'Received. 200 in', () => requestEmbeddings(address, key, 'a text'));
  });

  test('from the playground turns the steps green', async () => {
    const { orgId, paths } = await newOrganization('Playground');
    const send = async () => {
      await signedIn.goto(`/organizations/${orgId}/playground`);
      await signedIn.getByRole('button', { name: 'Embed', exact: true }).click();
    };
    await assertGreen(paths, 'Received. 200 in', send);
  });

  test('in a batch turns the steps green', async () => {
    const { paths, secret } = await newOrganization('Batch');
    await assertGreen(paths, 'Received.', () =>
      batchClient({ address, key: secret }).create(jsonl([line('1', { input: 'a text' })])),
    );
  });

  test('of a colleague turns their own steps green, which those of others do not', async () => {
    const { user, password } = await services.users.create({ email: 'colleague@example.com' });
    await services.members.add(orgId, user.userId, 'member');
    const page = await dashboard.newPage();
    await page.goto(`/organizations/${orgId}/usage`);
    await signIn(page, { email: user.email, password });
    await page.getByRole('main').getByRole('link', { name: 'Get started' }).click();
    await page.getByRole('heading', { name: 'Your key' }).waitFor();
    await page.getByRole('button', { name: 'Create API Key' }).click();
    const secret = await textOf(page.getByTestId('secret'));
    await page.getByText('Waiting for your first request…').waitFor();
    await requestEmbeddings(address, key, 'a text of another');
    await page.getByText('Step 2 of 3').waitFor();
    await requestEmbeddings(address, secret, 'a text of their own');
    await page.getByText('Step 3 of 3').waitFor();
    await page
      .getByRole('navigation', { name: 'Organization' })
      .getByText('Get started')
      .waitFor({ state: 'detached' });
  });
});
