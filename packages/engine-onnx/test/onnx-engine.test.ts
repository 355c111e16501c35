import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { eventually } from '../../../test/helpers/eventually.ts';
import { engineContract } from '../../engine/test/contract.ts';
import { encodeOnnxModel, type OnnxValue } from '../../onnx-int8/src/index.ts';
import { openOnnxEngine } from '../src/onnx-engine.ts';
import { providedModel, temporaryDirectory } from './builtin-directory.ts';

const { directory } = await providedModel();
const open = (path = directory, workers = 2) =>
  openOnnxEngine({ directory: path, name: 'builtin', workers, threadsPerWorker: 1 });

engineContract('ONNX', open);

describe('the ONNX engine', () => {
  it('leaves the event loop free while it computes', async () => {
    const engine = await open(directory, 1);
    const batch = await engine.prepare(Array(4).fill('word '.repeat(200)), 'document');
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
    const engine = await open(directory, 1);
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
      [2, Number.POSITIVE_INFINITY],
    );
    assert.deepEqual(done, ['short', 'long']);
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

  const refused = (
    what: string,
    [op, type]: [op: string, type: OnnxValue['type']],
    [input, output]: [input: string, output: string],
    message: RegExp,
  ) =>
    it(`refuses ${what}`, async () => {
      const other = join(await temporaryDirectory(), 'other');
      await cp(directory, other, { recursive: true });
      const shape = ['batch', 'tokens'];
      const graph = encodeOnnxModel({
        name: 'other',
        opset: 17,
        nodes: [{ op, inputs: [input], output, attributes: op === 'Cast' ? { to: { int: 1 } } : {} }],
        initializers: [],
        inputs: [{ name: input, type: input === 'input_ids' ? 'int64' : type, shape }],
        outputs: [{ name: output, type, shape }],
      });
      await writeFile(join(other, 'onnx/model.onnx'), graph);
      await writeFile(join(other, 'config.json'), '{}');
      await assert.rejects(open(other), message);
    });
  refused(
    'a graph without sentence embeddings',
    ['Identity', 'int64'],
    ['input_ids', 'logits'],
    /no output is known to have the vectors .*; set EMBEDDING_OUTPUT .*: logits/,
  );
  refused(
    'a graph with an unknown input',
    ['Identity', 'float32'],
    ['pixels', 'sentence_embedding'],
    /model\.onnx: the graph's input "pixels" is unknown/,
  );
  refused(
    'a model whose dimensions are not stated anywhere',
    ['Cast', 'float32'],
    ['input_ids', 'sentence_embedding'],
    /neither the graph nor a file says how many dimensions/,
  );
});
