import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeBertModel } from '../../../test/helpers/models/write-bert-model.ts';
import { planMemory, refuseTooLarge, tokensWithin } from '../src/memory-plan.ts';
import { openOnnxEngine } from '../src/onnx-engine.ts';
import { openOnnx } from '../src/open-onnx.ts';
import type { OnnxSettings } from '../src/settings.ts';
import { workersFor } from '../src/thread-plan.ts';
import { WorkingMemory } from '../src/working-memory.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const long = { graphBytes: 1e8, maxTokens: 8_192, heads: 4, hiddenSize: 64 };

describe('the memory of a model', () => {
  it('grows with its heads and the square of its tokens', () => {
    const { textBytes } = planMemory(long);
    assert.ok(textBytes > 2e9 && textBytes < 2.5e9);
    assert.ok(planMemory({ ...long, heads: 8 }).textBytes > 1.9 * textBytes);
    assert.ok(planMemory({ ...long, maxTokens: 16_384 }).textBytes > 3.8 * textBytes);
    const ofWeights = { ...long, hasGraph: false };
    const linear = planMemory({ ...ofWeights, maxTokens: 16_384 }).textBytes;
    assert.equal(linear, 2 * planMemory(ofWeights).textBytes);
  });

  it('is kept for the next batch only if texts are short, and no batch takes much more than the longest text', () => {
    for (const model of [long, { ...long, maxTokens: 512 }, { ...long, maxTokens: 128, heads: 16 }]) {
      const plan = planMemory(model);
      assert.equal(plan.keepsMemory, model.maxTokens < 8_192);
      const texts = Math.floor(plan.maxBatchTokens / model.maxTokens);
      assert.ok(texts >= 1 && plan.bytesOf(texts, model.maxTokens) <= Math.max(plan.textBytes, 2 ** 27));
    }
  });

  it('is estimated from the usual width of a head when no file states the heads, and the message says so', () => {
    const { heads, areHeadsAssumed } = planMemory({ ...long, heads: undefined, hiddenSize: 768 });
    assert.deepEqual([heads, areHeadsAssumed], [12, true]);
    assert.equal(planMemory(long).areHeadsAssumed, false);
  });

  it('has to fit, and the refusal names a setting that makes it fit', () => {
    const refusal = (workers: number, memoryBytes: number): string => {
      try {
        refuseTooLarge(long, planMemory(long), { workers, memoryBytes });
        return '';
      } catch (reason) {
        return (reason as Error).message;
      }
    };
    assert.equal(refusal(2, 3e9), '');
    const [, tokens] =
      /set EMBEDDING_MAX_TOKENS \(max_tokens in a file\) to (\d+) or less$/.exec(refusal(1, 1e9)) ?? [];
    const smaller = { ...long, maxTokens: Number(tokens) };
    assert.ok(smaller.maxTokens > 4_000);
    refuseTooLarge(smaller, planMemory(smaller), { workers: 1, memoryBytes: 1e9 });
    assert.equal(tokensWithin(planMemory(smaller).textBytes, planMemory(long)), smaller.maxTokens);
    assert.match(refusal(10, 3e9), /or less, or EMBEDDING_WORKERS \(workers\) to fewer$/);
    assert.match(refusal(1, 1e8), /set EMBEDDING_DTYPE \(dtype in a file\) to a smaller one$/);
  });

  it('leaves room for the longest text when the number of workers is not set', () => {
    const machine = { cores: 8, memoryBytes: 8e9 };
    assert.equal(workersFor(4e8, 1, machine), 5);
    assert.equal(workersFor(4e8, 1, machine, 5.5e9), 2);
    assert.equal(workersFor(4e8, 1, machine, 1e12), 1);
  });

  it('stops the start of a model whose longest text does not fit into the machine', async () => {
    const directory = await temporaryDirectory();
    await writeBertModel(directory, { maxPositions: 400_000 });
    await assert.rejects(
      openOnnxEngine({ directory, name: 'tiny', workers: 1, threadsPerWorker: 1 }),
      (reason: Error) => {
        assert.ok(reason.message.startsWith(`${directory}: a text of 400000 tokens can need 2,560,`));
        assert.match(
          reason.message,
          /\(2 heads\).*; set EMBEDDING_MAX_TOKENS \(max_tokens in a file\) to \d+ or less$/,
        );
        return true;
      },
    );
  });
});

const totalBytes = 1 << 30;

describe('several models', () => {
  it('share one memory, and release their part of it once', async () => {
    const path = await temporaryDirectory();
    await writeBertModel(path);
    const settings = (name: string): OnnxSettings => ({
      kind: 'onnx',
      name,
      aliases: [],
      place: { kind: 'directory', path },
      overrides: {},
      workers: 1,
      threadsPerWorker: 1,
      native: true,
    });
    const open = async (...names: string[]) => {
      const memory = new WorkingMemory(totalBytes);
      const context = {
        dataDir: path,
        hub: { endpoint: 'http://127.0.0.1:9', token: null },
        info() {},
        warn() {},
        memory,
      };
      return { memory, engines: await Promise.all(names.map((name) => openOnnx(settings(name), context))) };
    };
    const one = await open('one');
    const heldBytes = totalBytes - one.memory.freeBytes;
    assert.ok(heldBytes > 0);
    for (const engine of one.engines) await engine.close();

    const two = await open('one', 'two');
    assert.equal(two.memory.freeBytes, totalBytes - 2 * heldBytes);
    for (const engine of [...two.engines, ...two.engines]) await engine.close();
    assert.equal(two.memory.freeBytes, totalBytes);
  });
});
