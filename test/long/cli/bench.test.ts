import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usableCores } from '../../../packages/small/src/machine.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { runCommand } from '../../helpers/embedgate.ts';

describe('embedgate bench', () => {
  it('measures every combination and prints the two variables of the fastest', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path };
    const { code, stdout } = await runCommand(['bench', '--seconds', '1', '--json'], environment);
    assert.equal(code, 0);
    const { model, dtype, plans, set } = JSON.parse(stdout);
    assert.deepEqual([model, dtype], ['all-MiniLM-L6-v2', 'int8']);
    const rates = plans.map((plan: { texts_per_second: number }) => plan.texts_per_second);
    assert.ok(rates.every((rate: number) => rate > 0));
    const best = plans[rates.indexOf(Math.max(...rates))];
    assert.deepEqual(set, { EMBEDDING_WORKERS: best.workers, EMBEDDING_THREADS: best.threads });
    for (const { workers, threads, runtime } of plans) {
      assert.ok(workers * threads <= usableCores());
      assert.match(runtime, /^(native encoder, |ONNX Runtime, because )/);
    }
  });

  it('refuses a model that is not served, and one whose threads belong to another', async () => {
    const unknown = await runCommand(['bench', '--model', 'bert']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /--model: "bert" is not served/);
    const upstream = await runCommand(['bench'], {
      EMBEDDING_UPSTREAM_URL: 'http://127.0.0.1:9/v1',
      EMBEDDING_MODEL: 'far',
    });
    assert.equal(upstream.code, 1);
    assert.match(upstream.stderr, /"far" runs on an upstream/);
  });
});
