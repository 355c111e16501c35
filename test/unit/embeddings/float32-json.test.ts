import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../src/embeddings/byte-writer.ts';
import { writeFloat32Json } from '../../../src/embeddings/float32-json.ts';

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
