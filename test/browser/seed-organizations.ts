import type { ListeningApp } from '../helpers/app.ts';
import { askOf } from '../helpers/asks.ts';
import type { TestClock } from '../helpers/clock.ts';
import { raiseAlerts } from './seed.ts';

const dayMs = 86_400_000;
const trendDays = 28;
const keyDays = 30;

/** The callers who embed in an organization, and their share of each day's requests. */
const parts = { 'search indexer': 0.45, website: 0.27, 'nightly batch': 0.1 };
const playgroundParts = [0.1, 0.08];

/** What was counted in an organization, to compare with what a page shows. */
export interface Seeded {
  readonly orgId: string;
  /** In the last 28 days. */
  readonly last: number;
  /** The last 30 days by key. */
  readonly byKey: Readonly<Record<string, number>>;
}

interface Habit {
  readonly requestsADay: number;
  /** The number of requests at the end, as a multiple of that at the start. */
  readonly growth: number;
}

/** An organization with eight weeks of usage until now, all counted by the ledger. The clock ends where it was. */
async function seedOrganization(
  app: ListeningApp,
  clock: TestClock,
  name: string,
  { requestsADay, growth }: Habit,
): Promise<Seeded> {
  const { keys, ledger, organizations } = app.services;
  const { userId } = app.administrator;
  const nowMs = clock.now();
  clock.advance(-2 * trendDays * dayMs);
  const { orgId } = await organizations.create({ name, tier: 'scale' });
  const callers = playgroundParts.map((part, i) => ({
    name: 'Playground',
    keyId: i === 0 ? userId : `${userId}-of-a-colleague`,
    part,
  }));
  for (const [keyName, part] of Object.entries(parts)) {
    const { key } = await keys.create({ orgId, userId, name: keyName });
    callers.push({ name: keyName, keyId: key.keyId, part });
  }
  const byKey: Record<string, number> = {};
  let last = 0;
  for (let day = 2 * trendDays - 1; day >= 0; day -= 1) {
    clock.nowMs = nowMs - day * dayMs;
    const weekend = [0, 6].includes(new Date(clock.now()).getUTCDay()) ? 0.5 : 1;
    const size = requestsADay * weekend * growth ** (1 - day / (2 * trendDays)) * (1 + 0.2 * Math.sin(day));
    for (const { name: by, keyId, part } of callers) {
      const counted = Math.ceil(size * part);
      await Promise.all(Array.from({ length: counted }, () => ledger.reserve(orgId, askOf(keyId))));
      if (day < trendDays) last += counted;
      if (day < keyDays) byKey[by] = (byKey[by] ?? 0) + counted;
    }
  }
  clock.nowMs = nowMs;
  return { orgId, last, byKey };
}

/** Four organizations in different states, in the order of the list: the oldest first. */
export async function seedOrganizations(app: ListeningApp, clock: TestClock) {
  const { organizations, ledger } = app.services;
  const nowMs = clock.now();
  const seed = (place: number, name: string, habit: Habit): Promise<Seeded> => {
    clock.nowMs = nowMs - (4 - place) * 1_000;
    return seedOrganization(app, clock, name, habit);
  };
  const support = await seed(1, 'Support', { requestsADay: 160, growth: 3 });
  const storefront = await seed(2, 'Storefront', { requestsADay: 60, growth: 0.4 });
  const gateway = await seed(3, 'Gateway', { requestsADay: 40, growth: 1 });
  const archive = await seed(4, 'Archive', { requestsADay: 9, growth: 1.2 });
  // Over its quota, whatever the day of the month.
  const { used } = await ledger.readStanding(storefront.orgId);
  const limit = { amount: Math.floor(used / 1.3), window: 'month' } as const;
  await organizations.setTier(storefront.orgId, 'enterprise', limit);
  await organizations.setTier(gateway.orgId, 'enterprise', { amount: 25, window: 'second' });
  await organizations.setTier(archive.orgId, 'enterprise', null);
  await raiseAlerts(app, storefront.orgId);
  return { support, storefront, gateway, archive };
}
