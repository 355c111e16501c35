import assert from 'node:assert/strict';
import { appendFileSync, renameSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import pg from 'pg';
import { builtinDirectory } from '../../../packages/engine-onnx/src/builtin.ts';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually, eventuallyHolds } from '../../helpers/eventually.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { holdLocks, openPostgres } from '../../helpers/postgres.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

// A thread that dies, for example because it runs out of memory, is replaced. If it can't be replaced, /ready fails.

const names = ['database', 'cache', 'reports', 'tokenizer', 'inference'] as const;

describe('threads that die', async () => {
  const threads = new Map<string, Worker>();
  const remember = (worker: Worker): void => {
    threads.set(worker.threadName ?? '', worker);
  };
  let count = 0;

  process.on('worker', remember);
  // A copy, because the tests damage it.
  const model = join(untilEnd(temporaryDirectory()).path, 'model');
  await cp(await builtinDirectory(), model, { recursive: true });
  // The native encoder has no threads that could die.
  const environment = { EMBEDDING_MODEL: model, NATIVE_ENCODER: 'off' };
  const app = untilEnd(await listeningApp({ environment }));
  // The threads of the cache, of reports and of tokens start with the first vector, report and list of tokens.
  const embed = async (): Promise<number> => {
    const response = await requestEmbeddings(app.address, app.key, `text ${count++}`);
    await response.arrayBuffer();
    return response.status;
  };
  const tokenize = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ input: 'text' });
    const response = await fetch(`${app.address}/v1/tokenize`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  /** Requests that need all threads. */
  const kinds = [embed, () => statusWith(app.address, app.key), tokenize];
  const succeed = async (): Promise<void> => {
    for (const request of kinds) assert.equal(await request(), 200);
  };
  await succeed();
  await eventually(() => threads.has('cache'));
  after(async () => {
    process.off('worker', remember);
  });

  const end = (name: string): Promise<number> => threads.get(name)!.terminate();
  const readiness = async (): Promise<unknown> => {
    const response = await fetch(`${app.address}/ready`);
    const { not_ready: parts } = (await response.json()) as { not_ready: string[] };
    return { status: response.status, parts };
  };
  const ready = { status: 200, parts: [] };
  /** `/ready` waits three seconds for a new thread, which may need longer on a busy machine. */
  const becomesReady = () => eventuallyHolds(async () => assert.deepEqual(await readiness(), ready));

  for (const name of names) {
    test(`the service continues after the thread "${name}" has died, at rest and under load`, async () => {
      const first = threads.get(name);
      await end(name);
      await becomesReady();
      await succeed();
      await eventually(() => threads.get(name) !== first);

      // ONNX Runtime ends the whole process when its thread is terminated during a computation.
      if (name === 'inference') return;
      const asked = Array.from({ length: 45 }, (_, i) => kinds[i % kinds.length]!());
      await end(name);
      const statuses = await Promise.all(asked);
      assert.ok(
        statuses.every((status) => status === 200 || status === 503),
        String(statuses),
      );
      await becomesReady();
      await succeed();
    });
  }

  test('tokens can’t be listed while their thread cannot restart, and everything else works', async () => {
    const file = join(model, 'tokenizer.json');
    renameSync(file, `${file}.away`);
    await end('tokenizer');
    assert.equal(await tokenize(), 503);
    assert.deepEqual(await readiness(), ready);
    assert.equal(await embed(), 200);
    renameSync(`${file}.away`, file);
    await eventually(async () => (await tokenize()) === 200);
  });

  test('a worker does not restart with weights that have changed since', async () => {
    appendFileSync(join(model, 'onnx/model.onnx'), '\n');
    await end('inference');
    await eventually(async () => (await embed()) === 503);
    assert.deepEqual(await readiness(), { status: 503, parts: ['model model'] });
  });
});

const heads = 4;
/** The length of the text, and the limit of the model. */
const tokens = 4_096;
const shortTexts = 50;
const maxRatio = 1.3;
/** How long the memory may take to fall after the text. */
const withinMs = 10_000;
const skip = process.platform === 'linux' ? false : 'resident memory is read from /proc';

test('the service releases the memory of a text of 4,096 tokens within seconds', { skip }, async () => {
  using directory = temporaryDirectory();
  const model = join(directory.path, 'model');
  await writeBertModel(model, { heads, maxPositions: tokens });
  await using service = await startService({ environment: { EMBEDDING_MODEL: model } });
  const embed = async (text: string): Promise<number> => {
    const response = await requestEmbeddings(service.address, service.key, text);
    assert.equal(response.status, 200);
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number } };
    return usage.prompt_tokens;
  };
  for (let i = 0; i < shortTexts; i += 1) await embed(`text ${i}`);
  const before = await residentBytes(service.pid);
  assert.equal(await embed('a '.repeat(tokens)), tokens);
  const peak = await residentBytes(service.pid, 'VmHWM');
  // Both matrices of scores were in memory.
  assert.ok(peak - before > heads * tokens ** 2 * 4, `${peak} after ${before}`);
  let ratio = 0;
  const isReleased = async (): Promise<boolean> => {
    ratio = (await residentBytes(service.pid)) / before;
    return ratio <= maxRatio;
  };
  await eventually(isReleased, { withinMs, everyMs: 100 }).catch(() => {
    assert.fail(`resident memory is ${ratio.toFixed(2)} times what it was before the text`);
  });
});

/** See proc(5). */
async function residentBytes(pid: number, line = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kilobytes) * 1_024;
}

/** After this time, a replica reads an organization's standing again. */
const standingLastsMs = 1_100;

test('a cached response does not wait until a read of the organization’s standing times out', async () => {
  await using postgres = await openPostgres();
  const url = await postgres.createDatabase();
  await using app = await listeningApp({ environment: ownPostgres(url) });
  const embed = () => requestEmbeddings(app.address, app.key, 'a text');
  assert.equal((await embed()).status, 200);
  await setTimeout(standingLastsMs);

  await using opened = new AsyncDisposableStack();
  const observer = new pg.Client({ connectionString: url });
  opened.defer(() => observer.end());
  await observer.connect();
  await using _locked = await holdLocks(url, 'LOCK TABLE quota_windows');
  const response = await embed();
  // Its read of the standing has not timed out yet.
  const { rowCount } = await observer.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  assert.equal(rowCount, 1);
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as { cached: boolean }).cached, true);
  // The last known standing.
  assert.match(String(response.headers.get('x-ratelimit-remaining')), /^\d+$/);
  // This request needs the standing itself.
  assert.equal(await statusWith(app.address, app.key), 503);
});
