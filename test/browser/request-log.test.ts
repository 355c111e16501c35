import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { lineOf } from '../helpers/stored.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';

// Each test continues where the one before it has ended.

describe('the log of requests', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, address, key, administrator, services } = dashboard.app;
  const page = await dashboard.newPage();
  await page.goto(`/organizations/${orgId}/requests`);
  await signIn(page, administrator);
  await page.getByText('No requests yet.').waitFor();
  await page.getByLabel('Live', { exact: true }).waitFor();
  const rows = page
    .getByRole('table', { name: 'Requests' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
  const sheet = page.getByRole('dialog', { name: 'Request' });
  /** Sends a text, and returns the identifier of the request. */
  const send = async (text: string, status: number): Promise<string> => {
    const response = await requestEmbeddings(address, key, text);
    assert.equal(response.status, status);
    return response.headers.get('x-request-id') ?? '';
  };
  /** Rows that arrive are shown when the pointer and the focus have left the table. */
  const leaveTable = async (): Promise<void> => {
    await page.mouse.move(0, 0);
    await page.getByRole('heading', { level: 1 }).click();
  };
  let cached: string;

  test('shows each request as it comes, and how it ended', async () => {
    const counted = await send('a secret text', 200);
    await rows.filter({ hasText: counted }).getByText('counted').waitFor();
    cached = await send('a secret text', 200);
    await rows.first().filter({ hasText: cached }).getByText('cached').waitFor();
    assert.doesNotMatch(await page.content(), /a secret text/);
  });

  test('does not move what someone reads after Live was switched off', async () => {
    await page.getByText('Live', { exact: true }).click();
    const later = await send('a secret text', 200);
    await page.getByRole('button', { name: 'Show new requests' }).waitFor();
    assert.equal(await rows.filter({ hasText: later }).count(), 0);
    await page.getByRole('button', { name: 'Show new requests' }).click();
    await rows.filter({ hasText: later }).waitFor();
    await page.getByText('Live', { exact: true }).click();
  });

  test('does not move the row under the pointer, and shows new ones when the pointer has left', async () => {
    const row = rows.last();
    await row.hover();
    const [text, place] = [await row.textContent(), await row.boundingBox()];
    const later = await send('a secret text', 200);
    await page.getByRole('button', { name: 'Show new requests' }).waitFor();
    assert.deepEqual([await row.textContent(), await row.boundingBox()], [text, place]);
    assert.equal(await rows.filter({ hasText: later }).count(), 0);
    await leaveTable();
    await rows.first().filter({ hasText: later }).waitFor();
    await page.getByRole('button', { name: 'Show new requests' }).waitFor({ state: 'detached' });
  });

  test('shows only the chosen outcome, and the address keeps it', async () => {
    await page.getByLabel('Outcome', { exact: true }).selectOption('Cached');
    await page.waitForURL('**/requests?outcome=cached');
    await eventuallyHolds(async () => assert.equal(await rows.count(), 3));
    await page.reload();
    await eventuallyHolds(async () => assert.equal(await rows.count(), 3));
    assert.equal(await rows.getByText('counted').count(), 0);
    await page.getByLabel('Status').selectOption('200');
    await page.waitForURL(({ searchParams }) => searchParams.has('status'));
    await page.goBack();
    await page.waitForURL('**/requests?outcome=cached');
    assert.equal(await page.getByLabel('Status').inputValue(), '');
  });

  test('finds a request by its identifier, and opens everything about it', async () => {
    await page.getByLabel('Request ID').fill(cached);
    await eventuallyHolds(async () => assert.equal(await rows.count(), 1));
    await rows.first().click();
    await sheet.getByRole('definition').getByText(cached).waitFor();
    await sheet.getByRole('definition').filter({ hasText: '200cached' }).waitFor();
    assert.equal(await sheet.getByRole('definition').filter({ hasNotText: /./ }).count(), 0);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await rows.first().click();
    await page.waitForURL(({ searchParams }) => searchParams.get('open') === cached);
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Request ID').inputValue(), cached, 'the filter stays');
    await page.goto(`/organizations/${orgId}/requests?outcome=failed&open=${cached}`);
    await sheet
      .getByRole('definition')
      .getByText(/:\d\d:\d\d /)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/requests?outcome=failed');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => url.search === '');
  });

  test('names the field that was not valid, and the member whose limit refused a request', async () => {
    const invalid = await fetch(`${address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'a text', model: 'nope' }),
    });
    await rows.filter({ hasText: invalid.headers.get('x-request-id') ?? '' }).click();
    await sheet.getByText('400: model was not valid. The message that the client got').waitFor();
    await page.keyboard.press('Escape');
    await leaveTable();
    const { userId } = administrator;
    const limit = { unit: 'requests', window: 'day', amount: 1 } as const;
    const { limitId } = await services.limits.add(orgId, { userId, ...limit });
    await send('one that the limit allows', 200);
    await rows.filter({ hasText: await send('one that it does not', 429) }).click();
    await sheet.getByText('1 request per day, of Administrator').waitFor();
    await page.keyboard.press('Escape');
    await leaveTable();
    await services.limits.remove(orgId, limitId);
  });

  test('offers the models of the log in its filter', async () => {
    const used = { orgId, model: 'a-former-model', outcome: 'cached', error: '' } as const;
    services.recorder.recordLine(lineOf({ ...used, keyId: 'a key' }));
    await services.recorder.flush();
    await page.getByRole('button', { name: 'Model: All models' }).click();
    await page.getByRole('option', { name: used.model }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('says why a request was refused, and what to do', async () => {
    await services.organizations.setTier(orgId, 'enterprise', { amount: 1, window: 'month' });
    const refused = await send('a new text', 429);
    const row = rows.filter({ hasText: refused });
    await row.getByText('rate_limit_exceeded').waitFor();
    await row.getByRole('button').press('Enter');
    await sheet.getByText('429: The quota was used up. Wait for its reset, or raise it.').waitFor();
    const meaning = sheet.getByRole('link', { name: 'What rate_limit_exceeded means' });
    const [path = '', id = ''] = ((await meaning.getAttribute('href')) ?? '').split('#');
    assert.ok((await (await page.request.get(path)).text()).includes(`id="${id}"`));
    await sheet.getByRole('definition').getByText('Quota of the month, resets in').waitFor();
    await sheet.getByRole('link', { name: 'first key' }).click();
    await page.waitForURL('**/keys/*');
    await page.getByRole('heading', { name: 'first key', level: 1 }).waitFor();
  });

  test('asks for new requests while people see it, and neither when it is hidden nor after the session', async () => {
    await page.clock.install();
    await page.goto(`/organizations/${orgId}/usage`);
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/v1/organizations/')) asked += 1;
    });
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
        globalThis.dispatchEvent(new Event('visibilitychange'));`);
    // What was asked before still gets its response, and what follows from it.
    const assertQuiet = () =>
      eventuallyHolds(async () => {
        const before = asked;
        await page.clock.runFor(60_000);
        assert.equal(asked, before);
      });
    await page.waitForRequest(/\/v1\/organizations\/[^/]+$/);
    await show('hidden');
    await assertQuiet();
    await page.context().clearCookies();
    await show('visible');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await assertQuiet();
  });
});
