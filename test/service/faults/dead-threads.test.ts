import assert from 'node:assert/strict';
import { appendFileSync, globSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { eventually, eventuallyHolds } from '../../helpers/eventually.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';

// A thread that dies, for example because it runs out of memory, is replaced. If it can't be replaced, /ready fails.

const names = ['database', 'cache', 'reports', 'tokenizer', 'inference'] as const;

describe('threads that die', () => {
  const threads = new Map<string, Worker>();
  const remember = (worker: Worker): void => {
    threads.set(worker.threadName ?? '', worker);
  };
  let app: ListeningApp;
  let count = 0;

  before(async () => {
    process.on('worker', remember);
    app = await listeningApp();
    // The thread of reports starts with the first report, and that of the cache with the first vector.
    assert.equal(await statusWith(app.address, app.key), 200);
    assert.equal(await embed(), 200);
    await eventually(() => threads.has('cache'));
  });
  after(async () => {
    process.off('worker', remember);
    await app[Symbol.asyncDispose]();
  });

  const end = (name: string): Promise<number> => threads.get(name)!.terminate();
  const embed = async (): Promise<number> => {
    const response = await requestEmbeddings(app.address, app.key, `text ${count++}`);
    await response.arrayBuffer();
    return response.status;
  };
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
      assert.equal(await embed(), 200);
      assert.equal(await statusWith(app.address, app.key), 200);
      await eventually(() => threads.get(name) !== first);

      // ONNX Runtime ends the whole process when its thread is terminated during a computation.
      if (name === 'inference') return;
      const asked = Array.from({ length: 40 }, (_, i) =>
        i % 2 === 0 ? embed() : statusWith(app.address, app.key),
      );
      await end(name);
      const statuses = await Promise.all(asked);
      assert.ok(
        statuses.every((status) => status === 200 || status === 503),
        String(statuses),
      );
      await becomesReady();
      assert.equal(await embed(), 200);
      assert.equal(await statusWith(app.address, app.key), 200);
    });
  }

  test('a tokenizer that cannot restart makes /ready fail until it can', async () => {
    const [file = ''] = globSync(join(app.dataDir, 'models', '**', 'tokenizer.json'));
    renameSync(file, `${file}.away`);
    await end('tokenizer');
    const { model } = app.services.models.default;
    assert.deepEqual(await readiness(), { status: 503, parts: [`model ${model.name}`] });
    assert.equal(await embed(), 503);
    renameSync(`${file}.away`, file);
    await becomesReady();
    assert.equal(await embed(), 200);
  });

  test('a worker does not restart with weights that have changed since', async () => {
    const [file = ''] = globSync(join(app.dataDir, 'models', '**', '*.onnx'));
    appendFileSync(file, '\n');
    await end('inference');
    await eventually(async () => (await embed()) === 503);
    const { model } = app.services.models.default;
    assert.deepEqual(await readiness(), { status: 503, parts: [`model ${model.name}`] });
  });
});
