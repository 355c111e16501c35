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

  test('an alias becomes the model of a key, whose row and example name it', async () => {
    const secret = await create('indexer', 'docs');
    await dialog.getByText('Python', { exact: true }).click();
    await page.getByLabel('Example').getByText('model="docs"').waitFor();
    assert.equal(await embed(secret), 200);
    await close();
    await page.getByRole('row', { name: /^indexer sk_….* model docs active / }).waitFor();
  });

  test('the key that replaces it keeps the model', async () => {
    await page.getByRole('button', { name: 'Actions on indexer' }).click();
    await page.getByRole('menuitem', { name: 'Rotate…' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await close();
    await page.getByRole('row', { name: /^indexer sk_….* replaces .* model docs active / }).waitFor();
  });

  test('without a model, a key has the service’s', async () => {
    const secret = await create('website', ' ');
    assert.equal(await embed(secret), 200);
    await close();
    const row = page.getByRole('row', { name: /^website/ });
    assert.doesNotMatch(await textOf(row), /model/);
  });

  test('a name that is not served is refused, and the form says which ones are', async () => {
    await page.getByRole('button', { name: 'Create API Key' }).click();
    await page.getByLabel('Name').fill('laptop');
    await page.getByLabel('Default model').fill('dosc');
    await dialog.getByRole('button', { name: 'Create API Key', exact: true }).click();
    await dialog.getByText(/^default_model "dosc" is not served here\. Use "/).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });
});
