import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { jsonl, line } from '../helpers/batch-client.ts';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { faultsOfThemes } from './faults.ts';

const linesOf = (count: number, text: string): string =>
  jsonl(Array.from({ length: count }, (_, n) => line(`line ${n}`, { input: `${text} ${n}` })));

/** Drops a file onto the page, as someone who drags it from another window does. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const script = `(([name, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], name));
    return data;
  })(${JSON.stringify([name, content])})`;
  const dataTransfer = await page.evaluateHandle(script);
  const area = page.getByRole('region', { name: 'Batches', exact: true });
  await area.dispatchEvent('dragover', { dataTransfer });
  await area.dispatchEvent('drop', { dataTransfer });
}

async function choose(page: Page, name: string, content: string): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'New batch' }).press('Enter');
  await (await chosen).setFiles({ name, mimeType: 'application/jsonl', buffer: Buffer.from(content) });
}

// Each test continues where the one before it has ended.

describe('the batches of an organization', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services } = dashboard.app;
  const path = `/organizations/${orgId}/batches`;
  const page = await dashboard.newPage();
  await page.goto(path);
  await signIn(page, administrator);
  const rowOf = (name: string, of = page) => of.getByRole('row').filter({ hasText: name });
  const sheetOf = (name: string, of = page) => of.getByRole('dialog', { name });
  const listed = () => services.batches.list(orgId, { after: undefined, limit: 100 });

  test('explains what a batch is, and has a line to copy', async () => {
    await page.getByText('There are no batches yet.').waitFor();
    const example = await page.getByRole('region', { name: 'A line of a batch' }).textContent();
    assert.equal(JSON.parse(example ?? '').url, '/v1/embeddings');
    const docs = await page.getByRole('link', { name: 'How files and batches work' }).getAttribute('href');
    assert.equal(docs, '/docs#batches');
  });

  test('a dropped file runs, and its results are a link', async () => {
    await drop(page, 'articles.jsonl', linesOf(40, 'an article'));
    await rowOf('articles.jsonl').getByText('Completed').waitFor();
    await rowOf('articles.jsonl').getByText('40 of 40').waitFor();
    await page.getByRole('button', { name: 'Actions on articles.jsonl' }).click();
    assert.equal(new URL(page.url()).search, '', 'the menu opened the details too');
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download results' }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^batch_\w+_output\.jsonl$/);
    const rows = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    assert.equal(rows.length, 40);
    assert.equal(JSON.parse(rows[0] ?? '').response.body.data[0].embedding.length, 384);
  });

  test('the address opens the details of a batch, and Back closes them', async () => {
    await rowOf('articles.jsonl').getByText('40 of 40').click();
    await page.waitForURL('**/batches?batch=batch_*');
    const sheet = sheetOf('articles.jsonl');
    for (const step of ['Created', 'Started', 'Completed'])
      await sheet.getByRole('list', { name: 'Timeline' }).getByText(step).waitFor();
    await sheet
      .getByRole('definition')
      .filter({ hasText: services.models.default.served.model.name })
      .waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    await page.goForward();
    await page.reload();
    await sheet.getByRole('link', { name: 'Download results' }).waitFor();
    assert.deepEqual(await faultsOfThemes(page), []);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  test('a chosen file with faults shows them by line, and can be chosen again', async () => {
    const good = line('1', { input: 'a' });
    await choose(page, 'broken.jsonl', `${jsonl([good])}{"custom_id":\n${jsonl([good])}`);
    await rowOf('broken.jsonl').getByText('Failed').waitFor();
    await rowOf('broken.jsonl')
      .getByText(/^Line 2: /)
      .click();
    const faults = sheetOf('broken.jsonl').getByRole('table', { name: 'Faults of the file' });
    await faults.getByRole('row', { name: /Line 2.*invalid_json_line/ }).waitFor();
    await faults.getByRole('row', { name: /Line 3.*duplicate_custom_id/ }).waitFor();
    assert.deepEqual(await faultsOfThemes(page), []);
    await page.keyboard.press('Escape');
    await choose(page, 'broken.jsonl', jsonl([good]));
    await rowOf('broken.jsonl').getByText('Completed').waitFor();
  });

  test('reranks a file whose lines ask for that', async () => {
    await choose(page, 'ranks.jsonl', jsonl([line('1', { query: 'q', documents: ['d'] }, '/v1/rerank')]));
    await rowOf('ranks.jsonl')
      .getByText(/No model here can rerank/)
      .waitFor();
  });

  test('an upload that fails says why, and can be tried again or cancelled', async () => {
    const problem = page.getByRole('alert');
    const before = (await listed()).length;
    await page.context().setOffline(true);
    await drop(page, 'again.jsonl', linesOf(1, 'again'));
    await problem.getByText('The service did not respond.').waitFor();
    await page.context().setOffline(false);
    const { bounds } = services.fileContents;
    Object.assign(services.fileContents, { bounds: { ...bounds, maxStoredBytes: 1_000 } });
    await choose(page, 'again.jsonl', linesOf(150_000, 'too large'));
    await problem.getByText(/larger than|would take more than/).waitFor();
    Object.assign(services.fileContents, { bounds });
    await page.route('**/files', () => {});
    await choose(page, 'again.jsonl', linesOf(1, 'again'));
    await page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    assert.equal(await problem.count(), 0);
    assert.ok(await page.getByRole('button', { name: 'New batch' }).isDisabled());
    assert.deepEqual(await faultsOfThemes(page), []);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.unroute('**/files');
    assert.equal(await problem.count(), 0);
    assert.equal((await listed()).length, before);
    await choose(page, 'again.jsonl', linesOf(1, 'again'));
    await rowOf('again.jsonl').getByText('Completed').waitFor();
  });

  test('a batch that waits says why, and ends when someone cancels it', async () => {
    const { used } = await services.ledger.readStanding(orgId);
    await services.organizations.setTier(orgId, 'enterprise', { amount: used + 1, window: 'month' });
    await drop(page, 'waits.jsonl', linesOf(3, 'beyond the quota'));
    await rowOf('waits.jsonl').getByText('Waiting').waitFor();
    await rowOf('waits.jsonl').getByRole('button', { name: 'waits.jsonl', exact: true }).press('Enter');
    const sheet = sheetOf('waits.jsonl');
    await sheet.getByText(/quota/i).first().waitFor();
    await sheet.getByText('3 requests, with 1 left. The rest waits until').waitFor();
    await sheet.getByRole('button', { name: 'Cancel…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Cancel “waits.jsonl”?' });
    assert.deepEqual(await faultsOfThemes(page), []);
    await question.getByRole('button', { name: 'Cancel the batch' }).click();
    await question.waitFor({ state: 'detached' });
    await sheet.getByRole('list', { name: 'Timeline' }).getByText('Cancelled').waitFor();
    await sheet.getByRole('link', { name: 'Download errors' }).waitFor();
    assert.equal(await sheet.getByRole('button', { name: 'Cancel…' }).count(), 0);
    await page.keyboard.press('Escape');
    await rowOf('waits.jsonl').getByText('Cancelled').waitFor();
    await services.organizations.setTier(orgId, 'enterprise', null);
  });

  test('a viewer sees the batches, and can neither upload, download nor cancel', async () => {
    const { user, password } = await services.users.create({ email: 'viewer@example.com' });
    await services.members.add(orgId, user.userId, 'viewer');
    const viewer = await dashboard.newPage();
    await viewer.goto(path);
    await signIn(viewer, { email: user.email, password });
    await rowOf('articles.jsonl', viewer).getByText('Completed').click();
    await sheetOf('articles.jsonl', viewer).getByText('Input file ID').waitFor();
    assert.equal(await viewer.getByRole('link', { name: /Download/ }).count(), 0);
    await viewer.keyboard.press('Escape');
    assert.equal(await viewer.getByRole('button', { name: 'New batch' }).count(), 0);
    const before = (await listed()).length;
    await drop(viewer, 'viewers.jsonl', linesOf(1, 'a'));
    await eventuallyHolds(async () => assert.equal((await listed()).length, before));
    assert.equal(await viewer.getByRole('progressbar').count(), 0);
  });

  test('asks for nothing more often than other lists once all batches have ended', async () => {
    await page.reload();
    await rowOf('articles.jsonl').waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/batches')) asked += 1;
    });
    await page.waitForTimeout(4_000);
    assert.equal(asked, 0);
  });

  test('a session that has ended asks to sign in, and the upload can be tried again', async () => {
    await page.context().clearCookies();
    await drop(page, 'later.jsonl', linesOf(1, 'later'));
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signIn(page, administrator);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().click();
    await rowOf('later.jsonl').getByText('Completed').waitFor();
  });
});
