import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard } from './dashboard.ts';

// Each test continues where the one before it has ended.

describe('the keyboard alone', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const page = await dashboard.newPage();
  const create = () => page.getByRole('button', { name: 'Create API Key' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.locator('[role=dialog], [role=alertdialog]');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (element: ReturnType<typeof create>): Promise<void> => {
    for (let i = 0; i < 60; i += 1) {
      await press('Tab');
      if ((await element.and(page.locator(':focus')).count()) === 1) return;
    }
    assert.fail(`${element} can't be reached`);
  };
  const open = async (name: string): Promise<void> => {
    await button(name).press('Enter');
    await dialog().waitFor();
  };
  const assertBackAt = async (element: ReturnType<typeof create>): Promise<void> => {
    await dialog().waitFor({ state: 'detached' });
    await element.and(page.locator(':focus')).waitFor();
  };
  const saveSecret = async (): Promise<void> => {
    await page.getByTestId('secret').waitFor();
    await tabTo(dialog().getByRole('button', { name: /saved my key|kept the key/ }));
    await press('Enter');
  };

  test('signs in', async () => {
    const { email, password } = dashboard.app.administrator;
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type(email);
    await press('Tab');
    await page.keyboard.type(password);
    await press('Enter');
    await create().waitFor();
  });

  test('returns to the button when the form for a key is closed', async () => {
    await tabTo(create());
    await press('Enter');
    await dialog().waitFor();
    await press('Escape');
    await assertBackAt(create());
  });

  test('returns to the button when a key was created', async () => {
    await create().press('Enter');
    await dialog().waitFor();
    await page.keyboard.type('website');
    await press('Enter');
    await saveSecret();
    await assertBackAt(create());
    await tabTo(button('Revoke website'));
  });

  test('returns to the row’s button when nothing was rotated or revoked', async () => {
    for (const name of ['Rotate website', 'Revoke website']) {
      await open(name);
      await press('Escape');
      await assertBackAt(button(name));
    }
  });

  test('returns to the row’s button when a key was rotated', async () => {
    await open('Rotate first key');
    await dialog().getByRole('button', { name: 'Rotate key' }).press('Enter');
    await saveSecret();
    await assertBackAt(button('Rotate first key').last());
  });

  test('moves to the table when the key was revoked and its row is gone', async () => {
    await open('Revoke website');
    await dialog().getByRole('button', { name: 'Revoke' }).press('Enter');
    await assertBackAt(page.getByRole('region', { name: 'API keys, table' }));
  });
});
