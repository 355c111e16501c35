import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, textOf } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';

// Each test continues where the one before it has ended.

describe('the default model of a key', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard({ environment: { EMBEDDING_MODEL_ALIASES: 'docs' } }));
  const page = await dashboard.newPage();
  await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
  await signIn(page, dashboard.app.administrator);

  const dialog = page.getByRole('dialog');
  /** Returns the secret, while the dialog shows it. */
  const create = async (name: string, model: string): Promise<string> => {
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Default model').fill(model);
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Create API Key', exact: true }).click();
    return await textOf(page.getByTestId('secret'));
  };
  const embed = async (secret: string): Promise<number> =>
    (await requestEmbeddings(dashboard.app.address, secret, 'a text')).status;
  const close = (): Promise<void> => page.getByRole('button', { name: 'I’ve saved my key' }).click();
  const openKey = (name: string): Promise<void> =>
    page.getByRole('row').getByRole('link', { name, exact: true }).click();
  const modelOfKey = () =>
    page.getByRole('main').locator('dl > div').filter({ hasText: 'Default model' }).getByRole('definition');

  test('an alias becomes the model of a key, whose page and example name it', async () => {
    const secret = await create('indexer', 'docs');
    await dialog.getByText('Python', { exact: true }).click();
    await page.getByLabel('Example').getByText('model="docs"').waitFor();
    assert.equal(await embed(secret), 200);
    await close();
    await openKey('indexer');
    assert.equal(await textOf(modelOfKey()), 'docs');
  });

  test('the key that replaces it keeps the model', async () => {
    const before = page.url();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await close();
    await page.getByRole('definition').getByRole('link').last().click();
    await page.waitForURL((url) => url.href !== before);
    assert.equal(await textOf(modelOfKey()), 'docs');
  });

  test('without a model, a key has the service’s', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    const secret = await create('website', ' ');
    assert.equal(await embed(secret), 200);
    await close();
    await openKey('website');
    await page.getByText('Key ID').waitFor();
    assert.equal(await modelOfKey().count(), 0);
  });

  test('a name that is not served is refused, and the form says which ones are', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByLabel('Name').fill('laptop');
    await page.getByLabel('Default model').fill('dosc');
    await dialog.getByRole('button', { name: 'Create API Key', exact: true }).click();
    await dialog.getByText(/^default_model "dosc" is not served here\. Use "/).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });
});
