import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { untilEnd } from '../../helpers/until-end.ts';

interface Diff {
  readonly differences: Record<string, unknown[]>;
  readonly lowest_cosine: number;
  readonly mean_cosine: number;
  readonly correlation: number;
}

describe('embedgate models diff', async () => {
  const directory = untilEnd(temporaryDirectory());
  const path = (name: string) => join(directory.path, name);
  await writeBertModel(path('mean'), { pooling: 'mean' });
  await writeBertModel(path('cls'), { pooling: 'cls' });
  const models = [
    { name: 'mean', model: './mean' },
    { name: 'same', model: './mean' },
    { name: 'asked', model: './mean', query_prompt: 'ask ' },
  ];
  writeFileSync(path('models.json'), JSON.stringify({ models }));
  const environment = { DATA_DIR: path('data'), EMBEDGATE_CONFIG: path('models.json') };
  const diff = (...names: string[]) => embedgateJson<Diff>(['models', 'diff', ...names], environment);

  it('finds nothing between two names of one model', async () => {
    const { differences, lowest_cosine: lowest, correlation } = await diff('mean', 'same');
    assert.deepEqual(differences, {});
    assert.ok(Math.min(lowest, correlation) > 0.999_999);
  });

  it('shows another pooling and how far the vectors are apart, also of a directory', async () => {
    const { differences, ...cosines } = await diff('mean', path('cls'));
    assert.deepEqual(Object.keys(differences), ['fingerprint', 'pooling', '1_Pooling/config.json']);
    assert.deepEqual(differences.pooling, ['mean', 'cls']);
    assert.ok(cosines.lowest_cosine <= cosines.mean_cosine && cosines.mean_cosine < 0.99);
    assert.ok(cosines.correlation < 0.99);
  });

  it('shows another prompt, and the vectors of queries that it changes', async () => {
    const { stdout } = await embedgate(['models', 'diff', 'mean', 'asked'], environment);
    assert.match(stdout, /^query_prompt\s+ask$/m);
    assert.match(stdout, /^lowest cosine\s+0\.\d{4}$/im);
  });
});
