import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../src/config/config.ts';
import { systemClock } from '../src/lib/clock.ts';
import { type Core, openCore } from '../src/service/core.ts';
import { Browser } from '../test/helpers/browser.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { newOrganization, startReplicas } from '../test/helpers/replicas.ts';
import { requestEmbeddings } from '../test/helpers/requests.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, quantile } from './benchmark.ts';
import { distinctTexts } from './texts.ts';

// Signed-in people who send what the dashboard's pages send, beside programs that embed in their organization.

const personCount = 50;
const embeddingsPerSecond = 50;
const rounds = 4;
const roundMs = 15_000;
const pollMs = 2_250;
const slowMs = 10_000;
/** How long someone looks at a page before they open another. */
const stayMs = 30_000;

export const fiftyPeople: Benchmark = {
  name: 'fifty-people',
  what: `median of ${embeddingsPerSecond} embeddings/s beside ${personCount} people on pages ÷ without them`,
  bound: { atMost: 1.5 },
  async run() {
    await using service = await startService();
    const core = await openCore(readConfig(service.environment), systemClock);
    try {
      return await measure(service.address, core);
    } finally {
      await core.close();
    }
  },
};

export const postgresFiftyPeople: Benchmark = {
  ...fiftyPeople,
  name: 'postgres-fifty-people',
  what: 'Postgres: the same',
  async run() {
    await using postgres = await startPostgres({ durable: true });
    await using replicas = await startReplicas(await postgres.createDatabase(), 1);
    return await measure(replicas.services[0]!.address, replicas.core);
  },
};

const hour = (ms: number): string => new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString();
/** What pages ask for below their organization while requests come in, and how often: see `useLive`. */
const pages: Readonly<Record<string, () => Readonly<Record<string, number>>>> = {
  usage: () => ({ '/usage?by=day&max_keys=50': slowMs }),
  'last 24 hours': () => {
    const [from, to] = [hour(Date.now() - 23 * 3_600_000), hour(Date.now() + 3_600_000)];
    return { [`/usage?from=${from}&to=${to}&by=hour&max_keys=50`]: slowMs };
  },
  requests: () => ({ '/requests?limit=50': pollMs, '/requests/histogram': slowMs }),
  keys: () => ({ '/keys?sort=-created&status=active&limit=50': slowMs }),
};

/** Opens pages in turn until `signal` aborts, and counts the calls. */
async function work(person: Browser, orgId: string, place: number, signal: AbortSignal): Promise<number> {
  let calls = 0;
  const ask = async (path: string): Promise<void> => {
    calls += 1;
    await person.ask(200, 'GET', path);
  };
  const organization = `/v1/organizations/${orgId}`;
  const keepLoading = async (path: string, everyMs: number, untilMs: number): Promise<void> => {
    for (let nextMs = Date.now(); nextMs < untilMs && !signal.aborted; ) {
      await setTimeout(Math.max(0, nextMs - Date.now()), undefined, { signal }).catch(() => {});
      if (!signal.aborted) await ask(path);
      nextMs = Math.max(nextMs + everyMs, Date.now());
    }
  };
  // Not all at once.
  await setTimeout((place / personCount) * slowMs, undefined, { signal }).catch(() => {});
  for (let at = place; !signal.aborted; at += 1) {
    const [, queriesOf] = Object.entries(pages)[at % Object.keys(pages).length]!;
    const queries = { '': slowMs, '/alerts?status=open&limit=100': stayMs, ...queriesOf() };
    const untilMs = Date.now() + stayMs;
    await Promise.all([
      ask('/v1/me'),
      ...Object.entries(queries).map(([path, everyMs]) => keepLoading(organization + path, everyMs, untilMs)),
    ]);
  }
  return calls;
}

async function measure(address: string, core: Core): Promise<Measurement> {
  const limit = { amount: 100_000_000, window: 'month' } as const;
  const { orgId, keys } = await newOrganization(core, limit, 20);
  const people: Browser[] = [];
  for (let n = 0; n < personCount; n += 1) {
    const { user, password } = await core.users.create({ email: `person-${n}@example.com` });
    await core.members.add(orgId, user.userId, 'member');
    people.push(await new Browser(address).signIn({ email: user.email, password }));
  }
  let refused = 0;
  const textOf = distinctTexts('fifty people');
  /** Returns how long each embedding took that was sent in one round. */
  const embed = async (): Promise<number[]> => {
    const tookMs: Promise<number>[] = [];
    const beganMs = performance.now();
    for (let n = 0; n < (roundMs / 1_000) * embeddingsPerSecond; n += 1) {
      await setTimeout(Math.max(0, beganMs + (n * 1_000) / embeddingsPerSecond - performance.now()));
      const sentMs = performance.now();
      const answered = requestEmbeddings(address, keys[n % keys.length]!, textOf()).then(async (response) => {
        await response.arrayBuffer();
        // A machine that other work has for seconds refuses some.
        if (response.status === 503) refused += 1;
        else if (response.status !== 200) throw new Error(`an embedding got ${response.status}`);
        return performance.now() - sentMs;
      });
      tookMs.push(answered);
    }
    return Promise.all(tookMs);
  };
  const medianOf = (tookMs: readonly number[]) => quantile(Float64Array.from(tookMs).sort(), 0.5);
  await embed();
  const ratios: number[] = [];
  let calls = 0;
  for (let round = 0; round < rounds; round += 1) {
    const alone = medianOf(await embed());
    const leave = new AbortController();
    const working = people.map((person, place) => work(person, orgId, place, leave.signal));
    // Until everyone has opened a page.
    await setTimeout(slowMs);
    const beside = medianOf(await embed());
    leave.abort();
    for (const count of await Promise.all(working)) calls += count;
    ratios.push(beside / alone);
  }
  const perMinute = calls / personCount / ((rounds * (slowMs / 2 + roundMs)) / 60_000);
  return {
    value: median(ratios),
    details: `${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}, ${perMinute.toFixed(0)} calls a minute and person, ${refused} refused`,
  };
}
