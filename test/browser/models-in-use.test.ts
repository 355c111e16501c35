import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../helpers/directory.ts';
import { postEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';

const dayMs = 86_400_000;
const model = 'all-MiniLM-L6-v2';
const longText = 'word '.repeat(300);
const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

// Each test continues where the one before it has ended.

describe('the models that an organization uses', { skip: withoutBrowser }, async () => {
  const directory = untilEnd(temporaryDirectory());
  const file = join(directory.path, 'embedgate.json');
  const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  const [yesterday, soon] = [inDays(-1), inDays(30)];
  const models = [
    { model, workers: 1 },
    { name: 'old', model, workers: 1, deprecated: yesterday, sunset: soon, replacement: model },
    { name: 'oldest', model, workers: 1, sunset: yesterday },
  ];
  writeFileSync(file, JSON.stringify({ models }));
  const dashboard = untilEnd(await openDashboard({ environment: { EMBEDGATE_CONFIG: file } }));
  const { orgId, address, key, administrator, services } = dashboard.app;
  const embed = async (body: object, secret = key): Promise<number> =>
    (await postEmbeddings(address, secret, body)).status;
  // In a time zone where the days of UTC must not be shown as those before.
  const page = await dashboard.newPage({ timezoneId: 'America/Los_Angeles' });
  await page.goto(`/organizations/${orgId}/usage?tab=models`);
  await signIn(page, administrator);
  const history = page.getByRole('region', { name: 'History' });
  await page.getByRole('region', { name: 'Standing' }).waitFor();
  const reload = async (): Promise<void> => {
    await page.reload();
    await history.getByRole('application').waitFor();
  };

  test('say nothing while no text was cut and no deprecated model was called', async () => {
    assert.equal(await embed({ input: ['a text', 'another text', 'a third text'] }), 200);
    await reload();
    await page.getByRole('row', { name: `${model} 1 0 0 3 ` }).waitFor();
    assert.equal(await page.getByText(/were cut at|called it/).count(), 0);
  });

  test('say which share of the texts was cut, and name the models if there are several', async () => {
    assert.equal(await embed({ input: longText }), 200);
    await reload();
    await history.getByText('25% of your texts were cut at 256 tokens.', { exact: true }).waitFor();
    const texts = Array.from({ length: 120 }, (_, n) => `text ${n}`);
    assert.equal(await embed({ input: texts }), 200);
    assert.equal(await embed({ input: [longText, 'a text'], model: 'old' }), 200);
    await reload();
    await history.getByText(`<1% of your texts for ${model} were cut at 256 tokens.`).waitFor();
    await history.getByText('50% of your texts for old were cut at 256 tokens.').waitFor();
  });

  test('show a notice for each deprecated or retired model, with the keys that call it', async () => {
    for (let n = 1; n <= 6; n += 1) {
      const { secret } = await services.keys.create({
        orgId,
        userId: administrator.userId,
        name: `key ${n}`,
      });
      for (let i = 0; i <= n; i += 1)
        assert.equal(await embed({ input: 'a text', model: 'old' }, secret), 200);
    }
    assert.equal(await embed({ input: 'a text', model: 'oldest' }), 410);
    await reload();
    const dateOf = (day: string): string => `${dateFormat.format(Date.parse(day))} (UTC)`;
    await page
      .getByText(`old is deprecated and stops on ${dateOf(soon)}. Use ${model} instead.`, { exact: true })
      .waitFor();
    const keys = [6, 5, 4, 3, 2].map((n) => `key ${n} (${n + 1} requests)`).join(', ');
    await page.getByText(`These keys called it in the last 30 days: ${keys} and 2 more.`).waitFor();
    await page.getByText(`oldest was retired on ${dateOf(yesterday)}.`, { exact: true }).waitFor();
    await page.getByText('This key called it in the last 30 days: first key (1 request).').waitFor();
    for (const width of [1_120, 375]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await accessibilityFaults(page), []);
    }
  });
});
