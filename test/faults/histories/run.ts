import { randomInt } from 'node:crypto';
import { TestClock } from '../../helpers/clock.ts';
import { Random } from '../../helpers/random.ts';
import { checkDeleted, checkOrganization } from './check.ts';
import { History } from './history.ts';
import { postgresWorld, sqliteWorld, type World } from './world.ts';

const worlds = { SQLite: sqliteWorld, Postgres: postgresWorld };
const maxTurns = 30;

/** The seed of the first history: HISTORIES_SEED, or a random one. */
export function firstSeed(): number {
  const given = Number(process.env.HISTORIES_SEED);
  return Number.isInteger(given) && given > 0 ? given : randomInt(1, 1_000_000_000);
}

/** The number of histories: HISTORIES, or the default of the test. */
export function historyCount(usual: number): number {
  const given = Number(process.env.HISTORIES);
  return Number.isInteger(given) && given > 0 ? given : usual;
}

/** Runs histories with seeds from `seed` on. Throws with the seed of the first history whose figures disagree. */
export async function runHistories(
  database: keyof typeof worlds,
  seed: number,
  count: number,
): Promise<void> {
  const clock = new TestClock('2026-11-21T03:00:00Z');
  await using world = await worlds[database](clock);
  for (let i = 0; i < count; i += 1) {
    try {
      await runHistory(world, clock, seed + i);
    } catch (reason) {
      throw new Error(`The history with HISTORIES_SEED=${seed + i} failed on ${database}`, { cause: reason });
    }
  }
}

async function runHistory(world: World, clock: TestClock, seed: number): Promise<void> {
  const random = new Random(seed);
  clock.set('2026-11-21T03:00:00Z');
  clock.advance(random.below(300) * 86_400_000);
  const history = new History(world, clock, random);
  await history.run(5 + random.below(maxTurns));
  const check = async () => {
    const stores = random.pick(world.replicas);
    for (const [orgId, expected] of history.living) await checkOrganization(stores, orgId, expected, random);
    await checkDeleted(stores, history.deleted);
  };
  await check();
  for (const orgId of history.living.keys()) await world.replicas[0]!.organizations.delete(orgId);
  await checkDeleted(world.replicas[0]!, [...history.living.keys()]);
}
