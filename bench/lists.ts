import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { newId } from '../src/lib/ids.ts';
import { Browser } from '../test/helpers/browser.ts';
import { type RunningService, startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, quantile, rounded } from './benchmark.ts';
import { httpLoad } from './http-load.ts';

const sizes = { small: 1_000, large: 100_000 };
/** Rows per transaction, so that the service never waits long for its own writes. */
const rowsPerInsert = 10_000;
const clients = 8;
const durationMs = 30_000;
const warmUpMs = 2_000;
const repeats = 30;

export const lists: Benchmark = {
  name: 'lists',
  what: `slowest /health, ms: ${clients} clients read lists of ${sizes.large.toLocaleString('en-US')} organizations and keys`,
  bound: { atMost: 50 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService({
    environment: { MAX_KEYS_PER_ORGANIZATION: String(2 * sizes.large) },
  });
  const [, email = '', password = ''] = /Sign in +(\S+), password (\S+)/.exec(service.stdout()) ?? [];
  const admin = await new Browser(service.address).signIn({ email, password });
  const medians: string[] = [];
  let filled = 0;
  let pages: Record<string, string> = {};
  for (const size of Object.values(sizes)) {
    fill(service, filled, size);
    filled = size;
    pages = await pagesOf(admin, service.orgId);
    const times: string[] = [];
    for (const [name, path] of Object.entries(pages)) {
      times.push(`${name} ${rounded(await medianMs(admin, path))}`);
    }
    medians.push(`${size.toLocaleString('en-US')} rows: ${times.join(', ')} ms`);
  }
  const { worstMs, p99Ms, count, perSecond, idleMs } = await probeUnderLoad(
    service.address,
    admin.cookie,
    Object.values(pages),
  );
  return {
    value: worstMs,
    details: `${count} responses of /health (${rounded(p99Ms)} ms at p99) beside ${rounded(perSecond)} pages/s; the longest delay of an idle process beside it: ${rounded(idleMs)} ms. A page of 100, at the median; ${medians.join('; ')}`,
  };
}

async function probeUnderLoad(address: string, cookie: string, paths: readonly string[]) {
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\n\r\n`),
  );
  let sent = 0;
  const next = (): Buffer => {
    sent += 1;
    return requests[sent % requests.length]!;
  };
  const load = (ms: number) => httpLoad({ address, connections: clients, next, durationMs: ms });
  const probe = new Worker(new URL('health-probe.ts', import.meta.url), { workerData: address });
  try {
    const samples = async (): Promise<number[]> => {
      probe.postMessage('report');
      const [times] = await once(probe, 'message');
      return times;
    };
    await load(warmUpMs);
    await samples();
    const idle = fork(new URL('idle-process.ts', import.meta.url), {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const { perSecond } = await load(durationMs);
    const times = new Float64Array(await samples()).sort();
    idle.disconnect();
    const idleMs = Number(await text(idle.stdout!));
    const worstMs = times.at(-1) ?? Number.POSITIVE_INFINITY;
    return { worstMs, p99Ms: quantile(times, 0.99), count: times.length, perSecond, idleMs };
  } finally {
    await probe.terminate();
  }
}

/** Returns pages in each order, from the middle of the list, and a search. */
async function pagesOf(admin: Browser, orgId: string): Promise<Record<string, string>> {
  const lists = { organizations: '/v1/organizations', keys: `/v1/organizations/${orgId}/keys` };
  const pages: Record<string, string> = {};
  for (const [name, path] of Object.entries(lists)) {
    for (const sort of ['created', '-created', 'name', '-name']) {
      const page = `${path}?limit=100&sort=${sort}`;
      const { next } = await admin.ask<{ next: string }>(200, 'GET', page);
      const [scope, value] = JSON.parse(Buffer.from(next, 'base64url').toString());
      // Half of the rows have the time 500 or less, and the name "row 5" or less.
      const middle = typeof value === 'number' ? 500 : 'row 5';
      const after = Buffer.from(JSON.stringify([scope, middle, 'x'])).toString('base64url');
      pages[`${name} by ${sort}`] = `${page}&after=${after}`;
    }
    pages[`${name} found`] = `${path}?limit=100&q=ROW%205`;
  }
  return pages;
}

async function medianMs(admin: Browser, path: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < repeats; i += 1) {
    const beganMs = performance.now();
    await admin.ask(200, 'GET', path);
    times.push(performance.now() - beganMs);
    await setTimeout(1);
  }
  return median(times);
}

/**
 * Adds organizations, and keys of one organization, until there are `size` of each. Many have the same name and time.
 */
function fill({ dataDir, orgId }: RunningService, from: number, size: number): void {
  using database = new DatabaseSync(join(dataDir, 'embedgate.db'), { timeout: 10_000 });
  const organization = database.prepare(
    `INSERT INTO organizations (org_id, name, tier, created_at, revision) VALUES (?, ?, 'free', ?, 1)`,
  );
  const key = database.prepare(
    `INSERT INTO api_keys (key_id, org_id, user_id, name, digest, hint, token, status, created_at, expires_at)
     VALUES (?, ?, 'u', ?, ?, 'sk_…0000', x'', 'active', ?, 253402300799000)`,
  );
  for (let first = from; first < size; first += rowsPerInsert) {
    database.exec('BEGIN IMMEDIATE');
    for (let i = first; i < Math.min(first + rowsPerInsert, size); i += 1) {
      const [name, createdAt] = [`Row ${i % 1_000}`, i % 1_000];
      organization.run(newId(), name, createdAt);
      key.run(newId(), orgId, name, String(i), createdAt);
    }
    database.exec('COMMIT');
  }
}
