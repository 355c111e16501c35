import { allRows } from '../../src/lib/page.ts';
import type { ListeningApp } from '../helpers/app.ts';
import { askOf } from '../helpers/asks.ts';
import { Browser } from '../helpers/browser.ts';
import type { TestClock } from '../helpers/clock.ts';
import { eventually } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { lineOf } from '../helpers/stored.ts';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
const names = ['search indexer', 'website', 'nightly batch'];
/** The maximum in total, which keeps each month below the free tier’s 10,000. */
const requestsADay = 340;

/**
 * Months of realistic usage: three keys with different habits, weekends, growth. The clock moves day by day
 * from where it is until now, and the ledger counts everything as it counts requests.
 */
export async function seedUsage(app: ListeningApp, clock: TestClock, nowMs = Date.now()): Promise<void> {
  const { keys, ledger, recorder } = app.services;
  const { userId } = app.administrator;
  const created = await Promise.all(
    names.map((name, i) => keys.create({ orgId: app.orgId, userId, name, lifetimeMs: (i + 1) * yearMs })),
  );
  const old = await keys.create({ orgId: app.orgId, userId, name: 'laptop' });
  const model = 'all-MiniLM-L6-v2';
  const days = Math.floor((nowMs - clock.now()) / dayMs);
  for (let day = 0; day <= days; day += 1) {
    const weekend = [0, 6].includes(new Date(clock.now()).getUTCDay());
    for (const [i, { key }] of created.entries()) {
      const caller = { orgId: app.orgId, keyId: key.keyId };
      const wave = 1 + 0.25 * Math.sin(day / (5 + 3 * i));
      const growth = 0.35 + 0.65 * (day / days) ** 3;
      const counted = Math.round((requestsADay / (1.7 + i)) * wave * growth * (weekend && i < 2 ? 0.4 : 1));
      await Promise.all(
        Array.from({ length: counted }, () =>
          ledger.reserve(caller.orgId, { ...askOf(caller.keyId), model }),
        ),
      );
      const refused = lineOf({ ...caller, at: clock.now(), model });
      const cached = { ...refused, outcome: 'cached', error: '', texts: 1, tokens: 12 } as const;
      for (let n = 0; n < counted * 0.6; n += 1) recorder.recordLine(cached);
      for (let n = 0; n < counted * 0.02; n += 1) recorder.recordLine(refused);
    }
    clock.advance(dayMs);
  }
  await recorder.flush();
  clock.nowMs = nowMs;
  await keys.revoke(old.key.keyId);
  const { watch } = app.services.alerting;
  await watch.sweep(nowMs);
}

/** Colleagues and another organization, so that lists are not empty. */
export async function seedPeople(app: ListeningApp): Promise<void> {
  const owner = await new Browser(app.address).signIn(app.administrator);
  await owner.ask(201, 'POST', '/v1/organizations', { name: 'Research', tier: 'scale' });
  const invitations = `/v1/organizations/${app.orgId}/invitations`;
  const { url } = await owner.ask<{ url: string }>(201, 'POST', invitations, {
    email: 'grace@example.com',
    role: 'member',
  });
  await owner.ask(201, 'POST', invitations, { email: 'alan@example.com', role: 'viewer' });
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  const grace = { token, name: 'Grace', password: 'correct horse battery' };
  await new Browser(app.address).ask(200, 'POST', '/v1/invitations/accept', grace);
}

/** Targets of alerts: one that accepts messages, and one that does not. */
export async function seedTargets(app: ListeningApp, url: string): Promise<void> {
  const owner = await new Browser(app.address).signIn(app.administrator);
  const targets = `/v1/organizations/${app.orgId}/alerts/targets`;
  for (const address of [url, 'https://hooks.invalid/embedgate']) {
    const target = { kind: 'webhook', address };
    const { target_id } = await owner.ask<{ target_id: string }>(201, 'POST', targets, target);
    await owner.ask(202, 'POST', `${targets}/${target_id}/test`);
  }
}

/** A limit of which four fifths are used, so that every page says so. */
export async function seedAlert(app: ListeningApp): Promise<void> {
  const owner = await new Browser(app.address).signIn(app.administrator);
  const limit = { tier: 'enterprise', limit: 50, window: 'month' };
  await owner.ask(200, 'PUT', `/v1/organizations/${app.orgId}/tier`, limit);
  const texts = Array.from({ length: 40 }, (_, n) => `text ${n}`);
  await Promise.all(texts.map((text) => requestEmbeddings(app.address, app.key, text)));
}

/** Raises the alerts of an organization that has reached a threshold. */
export async function raiseAlerts(
  { services }: ListeningApp,
  orgId: string,
  nowMs = Date.now(),
): Promise<void> {
  const { watch, alerts } = services.alerting;
  const isRaised = async (): Promise<boolean> => {
    await watch.sweep(nowMs);
    return (await allRows((page) => alerts.list(orgId, page))).length > 0;
  };
  await eventually(isRaised, { everyMs: 50 });
}

/** Names of 60 characters, in several scripts, with spaces and without. */
export const longNames = ['W', 'Customer success ', 'فهرس البحث ', 'מפתח', '搜索索引', '🔍'].map((text) =>
  [...text.repeat(60)].slice(0, 60).join(''),
);

/** The name of an organization, which can't be broken into lines. */
export const longName = 'organization-with-a-name-that-does-not-break'.repeat(4);

const manyKeys = 1_000;

/** Gives the organization a long name and 1,000 keys, of which the newest have long names, too. */
export async function seedManyKeys({
  services: { keys, organizations },
  ...app
}: ListeningApp): Promise<void> {
  const { orgId, address, administrator } = app;
  await organizations.change(orgId, { name: longName });
  const create = (name: string) => keys.create({ orgId, userId: administrator.userId, name });
  for (let n = longNames.length + 1; n < manyKeys; n += 1) await create(`key ${n}`);
  for (const name of longNames) await requestEmbeddings(address, (await create(name)).secret, name);
}
