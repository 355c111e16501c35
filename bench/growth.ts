import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { columns } from '../src/cli/table.ts';
import { readConfig } from '../src/config/config.ts';
import { type Chore, Chores } from '../src/lib/chores.ts';
import { systemClock } from '../src/lib/clock.ts';
import { foldCase } from '../src/lib/page.ts';
import { openAlerting } from '../src/service/alerting.ts';
import { openCore } from '../src/service/core.ts';
import { openLog } from '../src/service/log.ts';
import { openPeople } from '../src/service/people.ts';
import { addUpkeep } from '../src/service/upkeep.ts';
import { Browser } from '../test/helpers/browser.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { type Environment, embedgate } from '../test/helpers/embedgate.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { ownPostgres } from '../test/helpers/replicas.ts';
import { type RunningService, startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, quantile } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { personWithMany, seedPostgres, seedSqlite } from './growth-seed.ts';
import { cpuMs, memoryMiB } from './process-figures.ts';

// What each part costs with some organizations, and with ten times as many. GROWTH is the smaller number.

const fewer = Number(process.env.GROWTH ?? 10_000);
const repeats = 15;
const besideMs = 10_000;
const idleMs = 40_000;
const pagesRead = 100;
const choreMs = 60_000;

type Figures = Map<string, number>;
interface Person {
  readonly email: string;
  readonly password: string;
}

const what = `slowest growth of a page of organizations, ${fewer.toLocaleString('en-US')} → ${(10 * fewer).toLocaleString('en-US')} of them`;
/** A search by a part of the name reads the names in their order, so it grows too. */
const bound = { atMost: 3 };

const sqliteGrowth: Benchmark = {
  name: 'growth',
  what,
  bound,
  takesLong: true,
  run: () => measure((count) => figuresOf({}, async (dataDir) => seedSqlite(dataDir, count))),
};

const postgresGrowth: Benchmark = {
  name: 'postgres-growth',
  what: 'Postgres: the same',
  bound,
  takesLong: true,
  async run() {
    await using postgres = await startPostgres({ durable: true });
    return await measure(async (count) => {
      const url = await postgres.createDatabase();
      return await figuresOf(ownPostgres(url), () => seedPostgres(url, count));
    });
  },
};

export const growth: readonly Benchmark[] = [sqliteGrowth, postgresGrowth];

async function measure(figuresWith: (count: number) => Promise<Figures>): Promise<Measurement> {
  const few = await figuresWith(fewer);
  const many = await figuresWith(10 * fewer);
  const shown = (value: number) => String(Number(value.toPrecision(3)));
  const rows = [...few].map(([name, value]) => {
    const larger = many.get(name)!;
    return [name, shown(value), shown(larger), shown(larger / value)];
  });
  const pages = [...few].filter(([name]) => name.startsWith('page: '));
  const head = ['', `${fewer}`, `${10 * fewer}`, 'ratio'];
  return {
    value: Math.max(...pages.map(([name, value]) => many.get(name)! / value)),
    details: `\n${columns(head, rows)}`,
  };
}

/** Starts a service, adds organizations to its database, and measures what a second start of it does. */
async function figuresOf(own: Environment, seed: (dataDir: string) => Promise<void>): Promise<Figures> {
  using directory = temporaryDirectory();
  const options = { dataDir: directory.path, environment: own };
  const first = await startService(options);
  const { key, administrator } = first;
  await freeOfQuota(first);
  await first.stop();
  const figures: Figures = new Map();
  const seedS = await seconds(() => seed(directory.path));
  process.stderr.write(`  seeded in ${seedS.toFixed(0)} s\n`);
  {
    await using service = await startService(options);
    const idleFromMs = cpuMs(service.pid);
    await setTimeout(idleMs);
    figures.set('CPU at rest, % of a core', (100 * (cpuMs(service.pid) - idleFromMs)) / idleMs);
    await addPages(figures, service, administrator);
    await addBeside(figures, service, { key, administrator });
    await addMemory(figures, service, administrator);
  }
  await addChores(figures, { DATA_DIR: directory.path, ...own });
  const environment = { DATA_DIR: directory.path, ...own };
  // Null: it was still printing after a minute.
  let code: number | null = null;
  const listS = await seconds(async () => {
    ({ code } = await embedgate(['orgs', 'list'], environment));
  });
  figures.set('embedgate orgs list, s (prints all)', code === null ? Number.POSITIVE_INFINITY : listS);
  return figures;
}

async function addPages(figures: Figures, { address }: RunningService, administrator: Person): Promise<void> {
  const admin = await new Browser(address).signIn(administrator);
  const person = await new Browser(address).signIn({ ...administrator, email: personWithMany });
  const add = async (name: string, browser: Browser, query: string) => {
    const page = () => browser.ask<{ next: string | null }>(200, 'GET', `/v1/organizations?${query}`);
    const { next } = await page();
    const tookMs: number[] = [];
    for (let i = 0; i < repeats; i += 1) tookMs.push(1_000 * (await seconds(page)));
    figures.set(`page: ${name}, ms`, median(tookMs));
    return next;
  };
  for (const sort of ['created', 'name'] as const) {
    const next = await add(`first by ${sort}`, admin, `sort=${sort}`);
    await add(`next by ${sort}`, admin, `sort=${sort}&after=${next}`);
    await add(`last by ${sort}`, admin, `sort=${sort}&after=${await cursorNearEnd(admin, sort, next!)}`);
  }
  await add('search by a part', admin, 'q=bra%2077');
  const next = await add('first of a person', person, 'limit=10');
  await add('next of a person', person, `limit=10&after=${next}`);
}

/** Returns the cursor after which 20 organizations follow, made from another cursor of the list. */
async function cursorNearEnd(admin: Browser, sort: 'created' | 'name', cursor: string): Promise<string> {
  const path = `/v1/organizations?sort=-${sort}&limit=21`;
  const { data } = await admin.ask<{ data: { org_id: string; name: string; created_at: string }[] }>(
    200,
    'GET',
    path,
  );
  const { org_id, name, created_at } = data.at(-1)!;
  const value = sort === 'name' ? foldCase(name) : Date.parse(created_at);
  const [scope] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return Buffer.from(JSON.stringify([scope, value, org_id])).toString('base64url');
}

/** Measures other requests alone, and beside an administrator who reads one page after another. */
async function addBeside(
  figures: Figures,
  { address }: RunningService,
  { key, administrator }: { key: string; administrator: Person },
): Promise<void> {
  const admin = await new Browser(address).signIn(administrator);
  const counted = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'a text that is cached' }),
  };
  const p99s = async () => {
    const untilMs = performance.now() + besideMs;
    return await Promise.all([
      p99Of(`${address}/health`, {}, untilMs),
      p99Of(`${address}/v1/embeddings`, counted, untilMs),
    ]);
  };
  await p99s();
  const alone = await p99s();
  let isDone = false;
  const reading = (async () => {
    let after = '';
    while (!isDone) {
      const path = `/v1/organizations?sort=name${after}`;
      const { next } = await admin.ask<{ next: string | null }>(200, 'GET', path);
      after = next === null ? '' : `&after=${next}`;
    }
  })();
  const beside = await p99s().finally(() => {
    isDone = true;
  });
  await reading;
  for (const [i, name] of ['/health', 'counted request'].entries()) {
    figures.set(`${name} p99 beside pages, ms`, beside[i]!);
    figures.set(`${name} p99 beside pages ÷ alone`, beside[i]! / alone[i]!);
  }
}

/** Sends a request every 10 ms, or as soon as the one before has its response. */
async function p99Of(url: string, init: RequestInit, untilMs: number): Promise<number> {
  const tookMs: number[] = [];
  while (performance.now() < untilMs) {
    const pause = setTimeout(10);
    const took = await seconds(async () => {
      const response = await fetch(url, init);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    });
    tookMs.push(1_000 * took);
    await pause;
  }
  return quantile(Float64Array.from(tookMs).sort(), 0.99);
}

async function addMemory(figures: Figures, service: RunningService, administrator: Person): Promise<void> {
  const admin = await new Browser(service.address).signIn(administrator);
  const beforeMiB = memoryMiB(service.pid);
  for (let i = 0; i < pagesRead; i += 1) await admin.ask(200, 'GET', '/v1/organizations?limit=100');
  figures.set(`memory after ${pagesRead} pages, MiB`, memoryMiB(service.pid));
  figures.set(`memory after ${pagesRead} pages ÷ before`, memoryMiB(service.pid) / beforeMiB);
}

/** Keeps the chores that are added, and starts none. */
class KeptChores extends Chores {
  readonly byName = new Map<string, Chore>();

  override add(chore: Chore): () => Promise<void> {
    this.byName.set(chore.name, chore);
    return async () => {};
  }
}

/** Runs the service's periodic work, in this process, while the service is stopped. */
async function addChores(figures: Figures, environment: Environment): Promise<void> {
  const core = await openCore(readConfig(environment), systemClock);
  const log = openLog('warn');
  const people = openPeople(core, log);
  const chores = new KeptChores(core.stores.leases.take, systemClock);
  const alerting = openAlerting(core, people, chores, log);
  // None of the chores below uses the parts that are missing.
  addUpkeep(chores, { core } as Parameters<typeof addUpkeep>[1], log);
  const tookMs = async (name: string) => {
    const { run } = chores.byName.get(name)!;
    const round = { signal: AbortSignal.timeout(choreMs), nowMs: systemClock.now() };
    const took = 1_000 * (await seconds(() => run(round)));
    // Infinite: did not get to the end.
    return round.signal.aborted ? Number.POSITIVE_INFINITY : took;
  };
  figures.set('alerts, with forecasts, ms', await tookMs('alerts'));
  figures.set('alerts, ms', await tookMs('alerts'));
  for (const name of ['old alerts', 'old requests', 'sessions', 'deletions']) {
    figures.set(`${name}, ms`, await tookMs(name));
  }
  await alerting.close();
  people.signIn.close();
  await core.close();
}

async function seconds(body: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await body();
  return (performance.now() - beganMs) / 1_000;
}
