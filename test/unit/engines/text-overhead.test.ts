import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { it } from 'node:test';
import { measureOverhead } from '../../../src/engines/onnx/text-overhead.ts';
import { FixtureEngine } from '../embeddings/fixture-engine.ts';

const block = Buffer.alloc(20_000);

/** An engine that works as long for each token as for the same number of blocks, and as for `overhead` for each text. */
function workingEngine(overhead: number): FixtureEngine {
  const engine = new FixtureEngine();
  engine.beforeRun = async (batch) => {
    for (const { tokenCount } of batch) for (let i = 0; i < tokenCount + overhead; i++) hash('sha256', block);
  };
  return engine;
}

it('the overhead of a text is measured in tokens', async () => {
  const [none, some, much] = [
    await measureOverhead(workingEngine(0)),
    await measureOverhead(workingEngine(30)),
    await measureOverhead(workingEngine(1_000)),
  ];
  assert.ok(none < 15, `${none}`);
  assert.ok(some > 15 && some < 60, `${some}`);
  assert.equal(much, 64);
});
