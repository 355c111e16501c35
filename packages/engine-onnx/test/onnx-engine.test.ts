import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { eventually } from '../../../test/helpers/eventually.ts';
import { tinyBert } from '../../../test/helpers/models/bert-weights.ts';
import { engineContract } from '../../engine/test/contract.ts';
import { builtinDirectory } from '../src/builtin.ts';
import { openOnnxEngine } from '../src/onnx-engine.ts';
import * as tinyModel from './tiny-model.ts';

const directory = await builtinDirectory();
// The native encoder has no threads that could die.
const open = (workers = 2) =>
  openOnnxEngine({ directory, name: 'builtin', workers, threadsPerWorker: 1, native: false });

engineContract('ONNX', () => open());

describe('the ONNX engine', () => {
  it('says whether the number of heads is stated or assumed', async () => {
    const tiny = await tinyModel.write();
    const headsOf = async () => {
      const engine = await tinyModel.open(tiny);
      await engine.close();
      return [engine.settings.heads, engine.settings.heads_assumed];
    };
    assert.deepEqual(await headsOf(), [tinyBert.heads, undefined]);
    await tinyModel.change(tiny, 'config.json', (config) => delete config.num_attention_heads);
    assert.deepEqual(await headsOf(), [undefined, 1]);
  });

  it('leaves the event loop free while it computes', async () => {
    const engine = await open(1);
    const batch = await engine.prepare(Array(4).fill('word '.repeat(50)), 'document');
    let turns = 0;
    let running = true;
    const count = () => {
      turns++;
      if (running) setImmediate(count);
    };
    count();
    // Several batches, so that this thread gets its turns on a busy machine too.
    for (let i = 0; i < 5; i++) await engine.run(batch);
    running = false;
    await engine.close();
    assert.ok(turns > 100, `${turns} turns of the event loop`);
  });

  it('tokenizes a short text while a long one is in progress', async (t) => {
    const engine = await open(1);
    t.after(() => engine.close());
    const done: string[] = [];
    const prepare = async (name: string, text: string) => {
      const [prepared] = await engine.prepare([text], 'document');
      done.push(name);
      return prepared;
    };
    const long = prepare('long', 'x'.repeat(16_000_000));
    const short = prepare('short', 'a word');
    assert.deepEqual(
      [(await short)?.tokenCount, (await long)?.fullTokenCount],
      [4, Number.POSITIVE_INFINITY],
    );
    assert.deepEqual(done, ['short', 'long']);
  });

  it('does not start if a file was replaced while it was opened', async () => {
    const tiny = await tinyModel.write();
    const opening = tinyModel.open(tiny);
    await tinyModel.change(tiny, 'config.json', (config) => Object.assign(config, { more: 1 }));
    await assert.rejects(opening, /the model's files have changed since the service started; restart it/);
  });

  it('tokenizes long texts after other files than its own have changed', async (t) => {
    const tiny = await tinyModel.write();
    const engine = await tinyModel.open(tiny);
    t.after(() => engine.close());
    await tinyModel.change(tiny, 'config.json', (config) => Object.assign(config, { more: 1 }));
    const [text] = await engine.prepare(['word '.repeat(100_000)], 'document');
    assert.equal(text!.isCut, true);
  });

  it('replaces a thread that has died', async (t) => {
    const workers: Worker[] = [];
    const ready: Promise<unknown>[] = [];
    const remember = (worker: Worker) => {
      workers.push(worker);
      ready.push(once(worker, 'message'));
    };
    process.on('worker', remember);
    t.after(() => process.off('worker', remember));
    const engine = await open();
    t.after(() => engine.close());
    const expected = await engine.run(await engine.prepare(['word'], 'document'));
    await eventually(() => workers.length === 2);
    // A thread that is terminated while it loads a session takes the process with it.
    await Promise.all(ready);
    await Promise.all(workers.map((worker) => Promise.all([once(worker, 'exit'), worker.terminate()])));
    const prepared = await engine.prepare(['word'], 'document');
    const results = await Promise.all([engine.run(prepared), engine.run(prepared)]);
    assert.deepEqual(results, [expected, expected]);
    assert.equal(workers.length, 4);
  });
});
