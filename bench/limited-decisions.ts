import { migratePostgres } from '../src/database/postgres/migrate.ts';
import { systemClock } from '../src/lib/clock.ts';
import { newId } from '../src/lib/ids.ts';
import { Ledger } from '../src/quota/ledger.ts';
import { limitUnits } from '../src/quota/limit.ts';
import { windowKinds } from '../src/quota/window.ts';
import { openPostgresStores } from '../src/service/postgres/open.ts';
import { openSqliteStores } from '../src/service/sqlite/open.ts';
import type { Stores } from '../src/service/stores.ts';
import { askOf } from '../test/helpers/asks.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { insertLimit } from '../test/helpers/stored.ts';
import { type Benchmark, type Measurement, median, organizationOf, rounded } from './benchmark.ts';

const waiting = 256;
const rounds = 5;
const durationMs = 1_500;
const amount = 1_000_000_000_000;

export const limitedDecisions: Benchmark = {
  name: 'limits',
  what: `quota decisions, ${waiting} waiting, 4 limits a request ÷ 1 limit`,
  bound: { atLeast: 0.7 },
  run: async () => {
    using directory = temporaryDirectory();
    return await measure(await openSqliteStores(directory.path, systemClock), oneOrganization);
  },
};

export const postgresLimitedDecisions: Benchmark = {
  name: 'postgres-limits',
  what: `Postgres: the same`,
  bound: { atLeast: 0.7 },
  run: () => measureOnPostgres(oneOrganization),
};

export const postgresLimitedOrganizations: Benchmark = {
  name: 'postgres-limited-organizations',
  what: 'Postgres: 300 organizations at random with 1 limit each ÷ without limits',
  bound: { atLeast: 0.5 },
  run: () => measureOnPostgres({ organizations: 300, more: 1, fewer: 0 }),
};

export const postgresLimitedPeople: Benchmark = {
  name: 'postgres-limited-people',
  what: 'Postgres: 300 organizations at random with a limit of a member each ÷ a limit of the organization',
  bound: { atLeast: 0.9 },
  run: () => measureOnPostgres({ organizations: 300, more: 1, fewer: 1, userId: 'user' }),
};

/** How many organizations to compare, and how many limits they have. */
interface Comparison {
  readonly organizations: number;
  readonly more: number;
  readonly fewer: number;
  /** The member whose limits are compared. Undefined: the limits are the organization's. */
  readonly userId?: string;
}

const oneOrganization: Comparison = { organizations: 1, more: 4, fewer: 1 };

async function measureOnPostgres(comparison: Comparison): Promise<Measurement> {
  await using postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  return await measure(await openPostgresStores(url), comparison);
}

/** Measures organizations with more limits and with fewer in turn. The sizes of requests vary, as they do in practice. */
async function measure(stores: Stores, { organizations, ...compared }: Comparison): Promise<Measurement> {
  const ledger = new Ledger(stores.ledger, systemClock);
  const orgsWith = (limits: number, userId: string | null) =>
    Promise.all(Array.from({ length: organizations }, () => organizationWith(stores, limits, userId)));
  const withMore = await orgsWith(compared.more, compared.userId ?? null);
  const withFewer = await orgsWith(compared.fewer, null);
  const pairs: { more: number; fewer: number }[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { fewer: await perSecond(ledger, withFewer), more: await perSecond(ledger, withMore) };
    if (round > 0) pairs.push(pair);
  }
  await ledger.close();
  await stores.close();
  const rate = (of: 'more' | 'fewer') => rounded(median(pairs.map((pair) => pair[of])));
  return {
    value: median(pairs.map((pair) => pair.more / pair.fewer)),
    details: `${rate('more')}/s against ${rate('fewer')}/s`,
  };
}

async function organizationWith(stores: Stores, count: number, userId: string | null): Promise<string> {
  const orgId = newId();
  const createdAt = Date.now();
  await stores.organizations.insert(organizationOf(orgId));
  for (let i = 0; i < count; i += 1) {
    await insertLimit(stores, {
      limitId: `${orgId}_${i}`,
      orgId,
      keyId: null,
      userId,
      amount,
      createdAt,
      unit: limitUnits[i % limitUnits.length]!,
      window: windowKinds[i % windowKinds.length]!,
    });
  }
  return orgId;
}

async function perSecond(ledger: Ledger, orgIds: readonly string[]): Promise<number> {
  const beganMs = performance.now();
  let decisions = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - beganMs < durationMs) {
      await ledger.reserve(
        orgIds[Math.floor(Math.random() * orgIds.length)]!,
        askOf('key', { texts: 1 + (decisions % 3), tokens: 5 + (decisions % 100) }),
      );
      decisions += 1;
    }
  };
  await Promise.all(Array.from({ length: waiting }, caller));
  return (decisions * 1_000) / (performance.now() - beganMs);
}
