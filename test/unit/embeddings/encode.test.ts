import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../src/embeddings/byte-writer.ts';
import { type EmbeddingFormat, EmbeddingMemo } from '../../../src/embeddings/embedding-memo.ts';
import { type EmbeddingsBody, embeddingsBody, shorten, toBase64 } from '../../../src/embeddings/encode.ts';
import { writeFloat32Json } from '../../../src/embeddings/float32-json.ts';
import type { InTurn } from '../../../src/lib/fair-turns.ts';
import { inTurn } from '../../helpers/turns.ts';
import { fixtureVector } from './fixture-engine.ts';

const bodyOf = (texts: readonly string[], more: Partial<EmbeddingsBody> = {}): EmbeddingsBody => ({
  embeddings: texts.map((text) => ({ vector: fixtureVector(text, 'query'), tokenCount: 3, isCut: false })),
  keys: texts,
  model: { name: 'the "model"', fingerprint: 'f' },
  format: 'float',
  type: 'float',
  promptTokens: 3 * texts.length,
  cached: false,
  cachedTexts: 0,
  truncated: [],
  memo: new EmbeddingMemo(1_000_000),
  ...more,
});

const fromBase64 = (text: string): number[] => {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
};

/** The vectors of a response's body, as a client reads them. */
function readVectors(json: string, format: EmbeddingFormat): number[][] {
  const { data } = JSON.parse(json) as { data: { index: number; embedding: number[] | string }[] };
  assert.deepEqual(
    data.map(({ index }) => index),
    [...data.keys()],
  );
  return data.map(({ embedding }) => {
    assert.equal(typeof embedding, format === 'float' ? 'object' : 'string');
    return typeof embedding === 'string' ? fromBase64(embedding) : embedding.map(Math.fround);
  });
}

describe('dimensions', () => {
  it('cut a vector and normalize it again', () => {
    const short = shorten(Float32Array.of(3, 4, 5, 6), 2);
    assert.deepEqual(short, Float32Array.of(0.6, 0.8));
  });

  it('leave a vector of that size unchanged', () => {
    const vector = Float32Array.of(0.6, 0.8);
    assert.equal(shorten(vector, 2), vector);
  });

  it('keep a vector without a direction finite', () => {
    assert.deepEqual(shorten(Float32Array.of(0, 0, 1), 2), Float32Array.of(0, 0));
  });

  it('leave the original untouched', () => {
    const vector = Float32Array.of(3, 4, 5);
    shorten(vector, 2);
    assert.deepEqual(vector, Float32Array.of(3, 4, 5));
  });
});

describe('base64', () => {
  it('is little-endian float32', () => {
    assert.equal(toBase64(Float32Array.of(1, -2)), Buffer.from('0000803f000000c0', 'hex').toString('base64'));
  });

  it('covers only the vector when that is part of a larger buffer', () => {
    assert.deepEqual(fromBase64(toBase64(Float32Array.of(1, 2, 3, 4).subarray(1, 3))), [2, 3]);
  });
});

describe('the body of a response', () => {
  it('has OpenAI’s shape, and says what produced it, whether it was cached, and which texts were cut', async () => {
    const embeddings = [0.25, 0.5].map((value) => ({
      vector: Float32Array.of(value),
      tokenCount: 3,
      isCut: value === 0.5,
    }));
    const body = bodyOf(['a', 'b'], { embeddings, cached: true, cachedTexts: 2, truncated: [1] });
    assert.deepEqual(JSON.parse(String(await embeddingsBody(body, inTurn))), {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.25] },
        { object: 'embedding', index: 1, embedding: [0.5] },
      ],
      model: 'the "model"',
      fingerprint: 'f',
      usage: { prompt_tokens: 6, total_tokens: 6 },
      cached: true,
      cached_texts: 2,
      truncated: [1],
    });
  });

  it('has the same vectors whatever was remembered, in both formats and all sizes', async () => {
    const memo = new EmbeddingMemo(2_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 }),
        fc.constantFrom<EmbeddingFormat>('float', 'base64'),
        fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
        fc.boolean(),
        async (texts, format, dimensions, cached) => {
          const json = String(
            await embeddingsBody(bodyOf(texts, { format, dimensions, cached, memo }), inTurn),
          );
          const answer = JSON.parse(json);
          assert.equal(answer.cached, cached);
          assert.equal(answer.usage.prompt_tokens, 3 * texts.length);
          const expected = texts.map((text) => [...shorten(fixtureVector(text, 'query'), dimensions ?? 8)]);
          assert.deepEqual(readVectors(json, format), expected);
        },
      ),
    );
  });

  it('is ready at once for a few texts, and lets others work meanwhile for many', async () => {
    const texts = Array.from({ length: 2_048 }, (_, n) => `text ${n}`);
    assert.ok(Buffer.isBuffer(embeddingsBody(bodyOf(texts.slice(0, 16)), inTurn)));
    let turns = 0;
    const short: InTurn = (work) => {
      turns += 1;
      return inTurn(() => work(() => true));
    };
    const json = String(await embeddingsBody(bodyOf(texts), short));
    assert.equal(turns, texts.length);
    assert.deepEqual(
      readVectors(json, 'float'),
      texts.map((text) => [...fixtureVector(text, 'query')]),
    );
  });

  it('stays within the bytes of its memory', async () => {
    const memo = new EmbeddingMemo(1_000);
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { format, type, embeddings } = bodyOf(texts);
    const form = { what: 'embedding', format, type, dimensions: embeddings[0]!.vector.length } as const;
    const kept = () => texts.flatMap((text) => memo.get(text, form) ?? []);
    await embeddingsBody(bodyOf(texts, { memo }), inTurn);
    assert.deepEqual(kept(), [], 'nothing before a text comes again');
    await embeddingsBody(bodyOf(texts, { memo, cached: true }), inTurn);
    assert.ok(kept().length > 0 && kept().length < texts.length);
    assert.ok(Buffer.concat(kept()).length <= 1_000);
  });
});

const anyFloat32 = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  // Any significand, with a magnitude like the numbers of a unit vector.
  fc
    .tuple(fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }), fc.integer({ min: 20, max: 50 }))
    .map(([significand, exponent]) => significand * 2 ** -exponent),
  // Six digits where float32 values are sparsest, so that the nearest seven digits may differ.
  fc.integer({ min: 976_563, max: 999_999 }).map((digits) => Math.fround(digits / 1e9)),
  fc
    .tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 1, max: 12 }))
    .map(([m, s]) => Math.fround(m / 10 ** s)),
  // Beside a power of two, where the neighbors are not equally far.
  fc
    .tuple(fc.integer({ min: -149, max: 127 }), fc.integer({ min: -2, max: 2 }))
    .map(([e, steps]) => beside(2 ** e, steps)),
);

function beside(value: number, steps: number): number {
  const float = Float32Array.of(value);
  const bits = new Uint32Array(float.buffer);
  bits[0] = bits[0]! + steps;
  return Number.isFinite(float[0]) ? float[0]! : value;
}

function shortestLength(value: number): number {
  for (let precision = 1; precision < 9; precision++) {
    const text = value.toPrecision(precision);
    if (Math.fround(Number(text)) === value) return String(Number(text)).length;
  }
  return String(Number(value.toPrecision(9))).length;
}

const writer = new ByteWriter();

function float32Json(vector: Float32Array): string {
  return String(writer.written(() => writeFloat32Json(vector, writer)));
}

describe('float32 as JSON', () => {
  it('is read as exactly the same float32, and is no longer than necessary', () => {
    fc.assert(
      fc.property(fc.array(anyFloat32, { maxLength: 40 }), (values) => {
        const text = float32Json(Float32Array.from(values));
        const read = JSON.parse(text) as number[];
        assert.deepEqual(
          read.map(Math.fround),
          values.map((value) => value + 0),
        );
        const texts = text.slice(1, -1).split(',');
        values.forEach((value, i) => {
          const length = texts[i]!.length;
          assert.ok(length <= shortestLength(value + 0), `${texts[i]} for ${value}`);
        });
      }),
      { numRuns: 3_000 },
    );
  });

  it('has no minus before a zero', () => {
    assert.equal(float32Json(Float32Array.of(0, -0)), '[0,0]');
  });

  it('uses the notation that people write', () => {
    const vector = Float32Array.of(0.1, -0.25, 1, -1, 0.00001, 0.3333333333, 1e-7, 16_777_216, 0.01);
    assert.equal(float32Json(vector), '[0.1,-0.25,1,-1,0.00001,0.33333334,1e-7,16777216,0.01]');
  });

  it('can be the longest of numbers', () => {
    const vector = new Float32Array(4_096).fill(-1.17549435e-38);
    vector.fill(-123_456_790_000_000_000_000, 2_048);
    const read = JSON.parse(float32Json(vector)) as number[];
    assert.deepEqual(Float32Array.from(read), vector);
  });

  it('contains nothing of the previous vector', () => {
    float32Json(Float32Array.of(0.5, 0.25, 0.125));
    assert.equal(float32Json(Float32Array.of(0.75)), '[0.75]');
    assert.equal(float32Json(new Float32Array(0)), '[]');
  });
});
