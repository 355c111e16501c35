import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { untilEnd } from '../../helpers/until-end.ts';
import { dialectApp } from './dialects/dialect-app.ts';

type Type = 'float' | 'int8' | 'uint8' | 'binary' | 'ubinary';

interface Answer {
  readonly data: readonly { readonly embedding: readonly number[] | string }[];
  readonly truncated: readonly number[];
  readonly cached: boolean;
}

const types: readonly Type[] = ['float', 'int8', 'uint8', 'binary', 'ubinary'];
const long = 'the quick brown fox '.repeat(60);
const texts = ['one', 'two words', 'ein dritter Text', long, `${long} and more`];

describe('types of numbers', async () => {
  const service = untilEnd(await dialectApp());
  const embed = (body: object, headers: Record<string, string> = {}) =>
    service.ask<Answer>(200, '/v1/embeddings', body, headers);
  /** Each text alone, computed from scratch. */
  const vectors = new Map<string, readonly number[]>();
  for (const input of texts) {
    const { data } = await embed({ input }, { 'cache-control': 'no-store, no-cache' });
    vectors.set(input, data[0]!.embedding as number[]);
  }

  /** What a response must have, by the definitions of Cohere and Voyage, and the calibration of docs/vectors.md. */
  const expected = (text: string, type: Type, dimensions: number): number[] => {
    const whole = vectors.get(text)!.slice(0, dimensions);
    const norm = dimensions === 512 ? 1 : Math.hypot(...whole);
    const unit = whole.map((value) => value / norm);
    if (type === 'float') return unit;
    if (type === 'int8' || type === 'uint8') {
      const scaled = unit.map((value) => Math.round((value * 127 * Math.sqrt(dimensions)) / 8));
      return scaled.map((value) => Math.min(127, Math.max(-128, value)) + (type === 'uint8' ? 128 : 0));
    }
    const bits = unit.map((value) => (value >= 0 ? '1' : '0')).join('');
    const bytes = bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
    return bytes.map((byte) => byte - (type === 'binary' ? 128 : 0));
  };
  const decoded = (text: string, type: Type): number[] => {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
    if (type === 'float') return [...new Float32Array(bytes.buffer)];
    return [...(type === 'int8' || type === 'binary' ? new Int8Array(bytes.buffer) : bytes)];
  };
  const assertNear = (actual: readonly number[], wanted: readonly number[], type: Type): void => {
    assert.equal(actual.length, wanted.length);
    // A text in a batch differs by up to 4e-8 from the same text alone, which can move a rounded number by one.
    const tolerance = type === 'float' ? 1e-6 : type === 'int8' || type === 'uint8' ? 1 : 0;
    const worst = Math.max(...actual.map((value, i) => Math.abs(value - wanted[i]!)));
    assert.ok(worst <= tolerance, `${type}: ${worst}`);
  };

  it('any mixture of types, sizes, encodings, truncation and cache control equals computing from scratch', async () => {
    const asked = fc.record({
      input: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 4 }),
      type: fc.constantFrom(...types),
      dimensions: fc.constantFrom(8, 16, 64, 120, 256, 512),
      isBase64: fc.boolean(),
      truncate: fc.boolean(),
      control: fc.constantFrom('', 'no-store', 'no-cache', 'no-cache, no-store'),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ input, type, dimensions, isBase64, truncate, control }) => {
        const body = {
          input,
          dimensions,
          output_dtype: type,
          truncate,
          encoding_format: isBase64 ? 'base64' : 'float',
        };
        const isCut = input.map((text) => text.length > 1_000);
        const headers: Record<string, string> = control ? { 'cache-control': control } : {};
        if (!truncate && isCut.includes(true)) {
          await service.ask(400, '/v1/embeddings', body, headers);
          return;
        }
        const answer = await embed(body, headers);
        assert.deepEqual(
          answer.truncated,
          input.flatMap((_, i) => (isCut[i] ? [i] : [])),
        );
        if (control.includes('no-cache')) assert.equal(answer.cached, false);
        for (const [i, { embedding }] of answer.data.entries()) {
          assert.equal(typeof embedding === 'string', isBase64);
          const numbers = typeof embedding === 'string' ? decoded(embedding, type) : embedding;
          assertNear(numbers, expected(input[i]!, type, dimensions), type);
        }
      }),
      { numRuns: 75 },
    );
  });

  it('all of them come from one entry of the cache', async () => {
    await embed({ input: 'an entry' });
    for (const type of types) {
      const { cached } = await embed({ input: 'an entry', output_dtype: type, dimensions: 64 });
      assert.equal(cached, true, type);
    }
  });

  it('Cohere’s embedding_types return several at once, and Jina’s embedding_type one', async () => {
    const { embeddings } = await service.ask<{ embeddings: Record<Type | 'base64', (number[] | string)[]> }>(
      200,
      '/v2/embed',
      { texts: ['one', 'two words'], embedding_types: [...types, 'base64'] },
    );
    for (const type of types)
      for (const [i, text] of ['one', 'two words'].entries())
        assertNear(embeddings[type][i] as number[], expected(text, type, 512), type);
    assertNear(decoded(embeddings.base64[0] as string, 'float'), expected('one', 'float', 512), 'float');
    const jina = await embed({ input: 'one', embedding_type: 'ubinary' });
    assert.deepEqual(jina.data[0]?.embedding, embeddings.ubinary[0]);
  });

  it('bits need a number of dimensions that is a multiple of 8', async () => {
    const { message } = await service.ask<{ message: string }>(400, '/v1/embeddings', {
      input: 'one',
      output_dtype: 'binary',
      dimensions: 12,
    });
    assert.equal(message, 'dimensions must be a multiple of 8 for bits, but it is 12');
    await service.ask(400, '/v2/embed', {
      texts: ['one'],
      embedding_types: ['ubinary'],
      output_dimension: 12,
    });
  });
});
