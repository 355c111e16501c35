import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type EmbeddingFormat, EmbeddingMemo } from '../../../src/embeddings/embedding-memo.ts';
import {
  type EmbeddingsBody,
  embeddingsBody,
  float32Base64,
  shorten,
} from '../../../src/embeddings/encode.ts';
import { fixtureVector } from './fixture-engine.ts';

const bodyOf = (texts: readonly string[], more: Partial<EmbeddingsBody> = {}): EmbeddingsBody => ({
  embeddings: texts.map((text) => ({ vector: fixtureVector(text, 'query'), tokenCount: 3 })),
  keys: texts,
  model: 'the "model"',
  format: 'float',
  promptTokens: 3 * texts.length,
  cached: false,
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
    assert.equal(
      float32Base64(Float32Array.of(1, -2)),
      Buffer.from('0000803f000000c0', 'hex').toString('base64'),
    );
  });

  it('covers only the vector when that is part of a larger buffer', () => {
    assert.deepEqual(fromBase64(float32Base64(Float32Array.of(1, 2, 3, 4).subarray(1, 3))), [2, 3]);
  });
});

describe('the body of a response', () => {
  it('has OpenAI’s shape, and says whether it was cached', async () => {
    const embeddings = [0.25, 0.5].map((value) => ({ vector: Float32Array.of(value), tokenCount: 3 }));
    const body = bodyOf(['a', 'b'], { embeddings, cached: true });
    assert.deepEqual(JSON.parse(String(await embeddingsBody(body))), {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.25] },
        { object: 'embedding', index: 1, embedding: [0.5] },
      ],
      model: 'the "model"',
      usage: { prompt_tokens: 6, total_tokens: 6 },
      cached: true,
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
          const json = String(await embeddingsBody(bodyOf(texts, { format, dimensions, cached, memo })));
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
    assert.ok(Buffer.isBuffer(embeddingsBody(bodyOf(texts.slice(0, 32)))));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const json = String(await embeddingsBody(bodyOf(texts)));
    clearImmediate(counting);
    assert.ok(turns >= 60, `${turns} turns of the event loop`);
    assert.deepEqual(
      readVectors(json, 'float'),
      texts.map((text) => [...fixtureVector(text, 'query')]),
    );
  });

  it('stays within the bytes of its memory', async () => {
    const memo = new EmbeddingMemo(1_000);
    await embeddingsBody(bodyOf(['a', 'b', 'c', 'd', 'e', 'f'], { memo }));
    assert.equal(memo.count, 0, 'nothing before a text comes again');
    await embeddingsBody(bodyOf(['a', 'b', 'c', 'd', 'e', 'f'], { memo, cached: true }));
    assert.ok(memo.count > 0 && memo.count < 6);
    assert.ok(memo.bytes <= 1_000);
  });
});
