import assert from 'node:assert/strict';
import { readFile, truncate } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { encoded, encodeOnnxModel, readEncoder } from '../src/index.ts';
import { compute, computeTexts, convert, cosine, open, texts } from './converted-encoder.ts';
import { type EncoderKind, encoderModel, width } from './encoder-graph.ts';
import { evaluate } from './evaluate-layout.ts';
import { converted, difference } from './small-graph.ts';

const tolerance = 0.05;

type Session = Awaited<ReturnType<typeof open>>;

/** Returns the vectors of each text's tokens. */
async function vectorsOf(session: Session, batch: readonly number[][]): Promise<Float32Array[]> {
  const { y } = await compute(session, batch, ['y']);
  const columns = y!.dims[1]!;
  assert.deepEqual(y!.dims, [batch.length, columns, width]);
  const values = y!.data as Float32Array;
  return batch.map(({ length }, text) =>
    values.slice(text * columns * width, (text * columns + length) * width),
  );
}

const withoutLayout = /a Relu|without a bias|another residual|elsewhere|two activations|two widths|whatever/;

const recognized: Record<string, EncoderKind> = {
  'a BERT': { tokenTypes: true },
  'a BERT of an older export': { tokenTypes: true, splitsNorm: true, biasFirst: true },
  'a RoBERTa': { countsTokens: true, isSdpa: true, biasFirst: true },
  'an XLM-R of an older export': { countsTokens: true, splitsNorm: true, turnsTwice: true },
  'an encoder with a fused GELU': { activation: 'Gelu', turnsTwice: true },
  'an encoder with a GELU by tanh': { activation: 'tanh', splitsNorm: true },
  'an encoder that begins with a product': { projects: true, tokenTypes: true },
  'an encoder with a Relu': { activation: 'Relu' },
  'an encoder without a bias': { omitsBias: true },
  'an encoder with another residual': { skipsFar: true },
  'an encoder that adds positions elsewhere': { placesLate: true },
  'an encoder with two activations': { secondActivation: 'tanh' },
  'an encoder with huge values in one layer': { secondSize: 3000 },
  'an encoder with two widths inside': { narrows: true },
  'an encoder whose tokens count from 2, whatever their ids': { firstPosition: 2 },
};

for (const [name, kind] of Object.entries(recognized)) {
  describe(`${name} is recognized as an encoder`, async () => {
    const { from, to, operators } = await convert(kind);
    const session = await open(to);
    const alone: Float32Array[] = [];
    for (const text of texts) alone.push(...(await vectorsOf(session, [text])));

    it('which is computed without padding, and gives nearly the vectors of float32', async () => {
      assert.ok(operators.has('FusedMatMul'));
      const [before, after] = [await vectorsOf(await open(from), texts), await vectorsOf(session, texts)];
      for (const [i, vectors] of before.entries()) {
        const differs = difference(vectors, after[i]!);
        assert.ok(differs > 0 && differs <= tolerance, `text ${i} differs by ${differs}`);
      }
    });

    it('whose vectors are the same alone and in any batch', async () => {
      for (const places of [
        [0, 1, 2, 3, 4],
        [3, 1],
        [4, 4, 0],
        [1, 2, 1],
      ]) {
        const together = await vectorsOf(
          session,
          places.map((place) => texts[place]!),
        );
        places.forEach((place, i) => {
          assert.deepEqual(together[i], alone[place]);
        });
      }
    });

    const hasLayout = !withoutLayout.test(name);
    it(hasLayout ? 'whose layout gives the same vectors' : 'which has no layout', () => {
      const encoder = readEncoder(to);
      assert.equal(encoder !== undefined, hasLayout);
      if (!encoder) return;
      const { output, activation, positionOffset } = encoder.layout;
      const expected = [kind.activation === 'tanh' ? 'gelu_tanh' : 'gelu', kind.countsTokens ? 2 : 0];
      assert.deepEqual([output, activation, positionOffset], ['y', ...expected]);
      for (const [i, text] of texts.entries()) {
        const expected = alone[i]!;
        const actual = Float32Array.from(evaluate(encoder, text).flat());
        assert.ok(cosine(expected, actual) > 0.99999, `${cosine(expected, actual)}`);
      }
    });
  });
}

describe('the layout of an encoder', () => {
  it('is that of the conversion, and no one that the original states', async () => {
    const file = Buffer.concat([
      encodeOnnxModel(encoderModel({ activation: 'Relu' })),
      encoded.metadata('embedgate_encoder', '{}'),
      encoded.metadata('kept', 'of the original'),
    ]);
    const { to } = await converted(encoderModel({}), { 'model.onnx': file }, { computeTexts });
    assert.equal(readEncoder(to), undefined);
    assert.match(await readFile(to, 'latin1'), /of the original/);
  });

  it('names the file that is too short for a tensor', async () => {
    const { to } = await convert({});
    const encoder = readEncoder(to)!;
    const { values } = encoder.layout.layers[1]!.down;
    encoder.tensor(values);
    await truncate(`${to}_data`, 100);
    assert.throws(() => encoder.tensor(values), {
      message: `${to}_data doesn't have all of the tensor "${values}"`,
    });
    assert.throws(() => encoder.tensor('none'), { message: `${to} has no tensor "none"` });
  });
});

it('a text without tokens changes no other text, and has the same vectors beside all others', async () => {
  const { to } = await convert({ tokenTypes: true });
  const session = await open(to);
  const [first, second] = [
    await compute(session, [texts[0]!, [], texts[2]!], ['y']),
    await compute(session, [texts[2]!, [], texts[0]!], ['y']),
  ];
  const vectorsAt = ({ y }: typeof first, text: number) =>
    y!.data.slice(text * 12 * width, (text * 12 + 1) * width);
  assert.deepEqual(vectorsAt(first, 1), vectorsAt(second, 1));
  assert.deepEqual(vectorsAt(first, 0), vectorsAt(second, 2));
  assert.deepEqual((await compute(session, [[]], ['y'])).y!.dims, [1, 1, width]);
});

const others: Record<string, EncoderKind> = {
  'a value inside a layer that is also an output': { showsInner: true },
  'a mask that hides more than padding': { isCausal: true },
  'another scale of the scores': { scoreFactor: 0.5 },
};

for (const [name, kind] of Object.entries(others)) {
  it(`an encoder with ${name} is converted as any other graph`, async () => {
    const [made, usual] = [await convert(kind), await convert(kind, {})];
    for (const ending of ['', '_data'])
      assert.deepEqual(await readFile(made.to + ending), await readFile(usual.to + ending));
  });
}
