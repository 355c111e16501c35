import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { GraphBuilder } from '../src/graph-builder.ts';
import type { ComputeTexts } from '../src/index.ts';
import type { OnnxModel } from '../src/onnx-file.ts';
import { columns, converted, difference, noise, rows, run, smallModel } from './small-graph.ts';

const kernel = noise(rows * columns);
const shape = [2, 5, rows];
const x = noise(2 * 5 * rows, 7);
// 7 bits in the weights and 8 in the input leave about 1 %.
const tolerance = 0.02;

/** Adds y = x · kernel. */
const plain = (graph: GraphBuilder): void =>
  graph.output('y', 'MatMul', ['x', graph.tensor(kernel, [rows, columns])]);
const float = { to: { int: 1 } };

const computeTexts: ComputeTexts = async function* (graph, names) {
  const session = await InferenceSession.create(graph, { intraOpNumThreads: 1, logSeverityLevel: 4 });
  yield session.run({ x: new Tensor('float32', x, shape) }, names);
};

type Files = Record<string, Uint8Array>;

/** Converts the model and expects nearly the results of float32, computed with int8. */
async function convertsClosely(
  model: OnnxModel,
  { products = 1, beside = {} as Files, input = x, inputShape = shape } = {},
) {
  const made = await converted(model, beside);
  assert.equal(made.products, products);
  assert.ok(made.operators.has('MatMulIntegerToFloat'));
  const [before, after] = [await run(made.from, input, inputShape), await run(made.to, input, inputShape)];
  const differs = difference(before, after);
  assert.ok(differs <= tolerance, `differs by ${differs}`);
  assert.ok(differs > 0, 'the new graph computes float32');
  return made;
}

async function assertConverts(...args: Parameters<typeof convertsClosely>): Promise<void> {
  await convertsClosely(...args);
}

describe('a graph is converted to int8', () => {
  for (const opset of [11, 13, 17, 18, 21]) {
    it(`with a MatMul, with operators of version ${opset}`, async () => {
      const { operators } = await convertsClosely(smallModel(plain, { opset }));
      assert.ok(!operators.has('MatMul'));
    });
  }

  for (const transB of [0, 1]) {
    it(`with a Gemm with a bias, alpha and transB = ${transB}`, () =>
      assertConverts(
        smallModel((graph) => {
          const flat = graph.op('Flatten', ['x'], { axis: { int: 2 } });
          const matrix = graph.tensor(kernel, transB ? [columns, rows] : [rows, columns]);
          const bias = graph.tensor(noise(columns, 3), [columns]);
          graph.nodes.push({
            op: 'Gemm',
            inputs: [flat, matrix, bias],
            output: 'y',
            attributes: { transB: { int: transB }, alpha: { float: 2 } },
          });
        }),
      ));
  }

  it('with a matrix behind a Transpose', () =>
    assertConverts(
      smallModel((graph) => {
        const matrix = graph.tensor(kernel, [columns, rows]);
        graph.output('y', 'MatMul', ['x', graph.op('Transpose', [matrix], { perm: { ints: [1, 0] } })]);
      }),
    ));

  it('with a float16 matrix behind a Cast and an Identity, and without their nodes afterwards', async () => {
    const { operators } = await convertsClosely(
      smallModel((graph) => {
        graph.initializers.push({ name: 'half', shape: [rows, columns], values: Float16Array.from(kernel) });
        const matrix = graph.op('Identity', [graph.op('Cast', ['half'], float)]);
        graph.output('y', 'MatMul', ['x', matrix]);
      }),
    );
    assert.ok(!operators.has('Cast') && !operators.has('Identity'));
  });

  it('with a matrix in a Constant', () =>
    assertConverts(
      smallModel((graph) => {
        const value = { name: '', shape: [rows, columns], values: kernel };
        graph.output('y', 'MatMul', ['x', graph.op('Constant', [], { value: { tensor: value } })]);
      }),
    ));

  it('with a matrix that two products share, which is stored once', async () => {
    const square = noise(rows * rows, 5);
    const model = smallModel((graph) => {
      const matrix = graph.tensor(square, [rows, rows]);
      graph.output('y', 'MatMul', [graph.op('MatMul', ['x', matrix]), matrix]);
    });
    const { to } = await convertsClosely(model, { products: 2 });
    assert.equal((await stat(`${to}_data`)).size, rows * rows);
  });

  it('with a matrix that another operator also reads', () =>
    assertConverts(
      smallModel((graph) => {
        const matrix = graph.tensor(kernel, [rows, columns]);
        const sums = graph.op('ReduceSum', [matrix, graph.integers(0)], { keepdims: { int: 0 } });
        graph.output('y', 'Add', [graph.op('MatMul', ['x', matrix]), sums]);
      }),
    ));

  const bytes = new Uint8Array(kernel.buffer);
  const outside: Record<string, { location?: string; offset?: number; length?: number; files: Files }> = {
    'at an offset': {
      offset: 128,
      length: bytes.length,
      files: { 'weights.bin': Buffer.concat([Buffer.alloc(128), bytes]) },
    },
    'without a stated length': { files: { 'weights.bin': Buffer.concat([bytes, Buffer.alloc(100)]) } },
    'whose path leads out of a directory and back': {
      location: 'parts/../w.bin',
      files: { 'w.bin': bytes, 'parts/other': new Uint8Array() },
    },
  };
  for (const [what, { location = 'weights.bin', offset = 0, length = 0, files }] of Object.entries(outside)) {
    it(`with weights in another file, ${what}`, () =>
      assertConverts(
        smallModel((graph) => graph.output('y', 'MatMul', ['x', 'outside']), {
          initializers: [{ name: 'outside', shape: [rows, columns], type: 1, location, offset, length }],
        }),
        { beside: files },
      ));
  }

  it('with a Gemm that adds the matrix by which it multiplies', () =>
    assertConverts(
      smallModel((graph) => {
        const flat = graph.op('Flatten', ['x'], { axis: { int: 2 } });
        const matrix = graph.tensor(noise(rows * rows, 5), [rows, rows]);
        graph.output('y', 'Gemm', [flat, matrix, matrix]);
      }),
      { input: noise(rows * rows, 7), inputShape: [1, rows, rows] },
    ));

  it('except products after the pooling, which have one row for each text', async () => {
    for (const pool of ['ReduceMean', 'first token']) {
      const { products, operators } = await converted(
        smallModel(
          (graph) => {
            const words = graph.op('Gather', [graph.tensor(noise(50 * rows, 2), [50, rows]), 'x']);
            const hidden = graph.op('MatMul', [words, graph.tensor(kernel, [rows, columns])]);
            const pooled =
              pool === 'ReduceMean'
                ? graph.op('ReduceMean', [hidden], { axes: { ints: [1] }, keepdims: { int: 0 } })
                : graph.op('Gather', [hidden, graph.integers(0)], { axis: { int: 1 } });
            const head = graph.op('Tanh', [pooled]);
            graph.output('y', 'MatMul', [head, graph.tensor(noise(columns * 8, 4), [columns, 8])]);
          },
          { inputs: [{ name: 'x', type: 'int64', shape: ['texts', 'tokens'] }] },
        ),
      );
      assert.equal(products, 1, pool);
      assert.ok(operators.has('MatMul'), pool);
    }
  });

  it('except products with a matrix without rows', () =>
    assertConverts(
      smallModel((graph) => {
        const nothing = graph.op('Slice', ['x', graph.integers(0), graph.integers(0), graph.integers(2)]);
        const zeros = graph.op('MatMul', [nothing, graph.tensor(new Float32Array(0), [0, columns])]);
        const hidden = graph.op('MatMul', ['x', graph.tensor(kernel, [rows, columns])]);
        graph.output('y', 'Add', [hidden, zeros]);
      }),
    ));

  const withoutColumns = { name: 'empty', shape: [rows, 0] };
  const emptyTensors: Record<string, OnnxModel['initializers'][number]> = {
    'the graph': { ...withoutColumns, values: new Float32Array(0) },
    'another file': { ...withoutColumns, type: 1, location: 'weights.bin', offset: 0, length: 0 },
  };
  for (const [place, empty] of Object.entries(emptyTensors)) {
    it(`except products with a matrix without columns in ${place}`, () =>
      assertConverts(
        smallModel(
          (graph) => {
            const nothing = graph.op('MatMul', ['x', 'empty']);
            const hidden = graph.op('MatMul', ['x', 'kernel']);
            graph.output('y', 'Identity', [graph.op('Concat', [nothing, hidden], { axis: { int: 2 } })]);
          },
          { initializers: [{ name: 'kernel', shape: [rows, columns], values: kernel }, empty] },
        ),
        // ONNX Runtime crashes when it closes a model with an empty file.
        { beside: { 'weights.bin': new Uint8Array(64) } },
      ));
  }

  it('with parts that it does not know, which stay as they are', async () => {
    const { operators } = await convertsClosely(
      smallModel(
        (graph) => {
          const hidden = graph.op('MatMul', ['x', graph.tensor(kernel, [rows, columns])]);
          // A product of two inputs, one of a constant with an input, and an operator of Microsoft's.
          const scores = graph.op('MatMul', [
            hidden,
            graph.op('Transpose', [hidden], { perm: { ints: [0, 2, 1] } }),
          ]);
          const table = graph.tensor(noise(7 * 5, 9), [7, 5]);
          const mixed = graph.op('MatMul', [table, scores]);
          graph.nodes.push({
            op: 'Gelu',
            domain: 'com.microsoft',
            inputs: [mixed],
            output: 'y',
            attributes: {},
          });
        },
        { otherOpsets: { 'com.microsoft': 1 } },
      ),
    );
    assert.ok(operators.has('MatMul') && operators.has('Transpose') && operators.has('Gelu'));
  });

  it('with rows of zeros and with an input of another rank', async () => {
    const made = await converted(
      smallModel(plain, { inputs: [{ name: 'x', type: 'float32', shape: ['a', 'b', 'c', rows] }] }),
    );
    assert.deepEqual(
      await run(made.to, new Float32Array(3 * rows), [1, 1, 3, rows]),
      new Float32Array(3 * columns),
    );
    const [before, after] = [
      await run(made.from, x, [1, 2, 5, rows]),
      await run(made.to, x, [1, 2, 5, rows]),
    ];
    assert.ok(difference(before, after) <= tolerance);
  });
});

describe('a graph is not converted', () => {
  const assertRefused = async (model: OnnxModel, message: RegExp) => {
    await assert.rejects(converted(model), { name: 'NotConvertible', message });
  };

  it('if it is already quantized', () =>
    assertRefused(
      smallModel((graph) => {
        graph.nodes.push({
          op: 'DynamicQuantizeLinear',
          inputs: ['x'],
          output: 'q',
          otherOutputs: ['scale', 'zero'],
          attributes: {},
        });
        graph.output('y', 'DequantizeLinear', ['q', 'scale', 'zero']);
      }),
      /^it is already quantized \(DequantizeLinear, DynamicQuantizeLinear\)$/,
    ));

  it('without a product with a constant matrix', () =>
    assertRefused(
      smallModel((graph) =>
        graph.output('y', 'MatMul', ['x', graph.op('Transpose', ['x'], { perm: { ints: [0, 2, 1] } })]),
      ),
      /^it has no products with constant float32 matrices that could use int8$/,
    ));

  it('with operators of an old version', () =>
    assertRefused(
      smallModel(plain, { opset: 10 }),
      /^it uses ONNX operator set 10, and conversion needs 11/,
    ));

  it('with a number that is not finite', () =>
    assertRefused(
      smallModel((graph) => {
        const broken = kernel.with(3, Number.NaN);
        graph.output('y', 'MatMul', ['x', graph.tensor(broken, [rows, columns])]);
      }),
      /^the matrix "constant_0" has a number that is not finite$/,
    ));

  it('with a NaN in a table', () =>
    assertRefused(
      smallModel((graph) => {
        const table = graph.tensor(noise(columns, 3).with(5, Number.NaN), [columns]);
        const hidden = graph.op('MatMul', ['x', graph.tensor(kernel, [rows, columns])]);
        graph.output('y', 'Add', [hidden, table]);
      }),
      /^the tensor "constant_0" has a number that is not finite$/,
    ));

  it('with names that conversion needs', () =>
    assertRefused(
      smallModel((graph) => {
        const hidden = graph.op('MatMul', ['x', graph.tensor(kernel, [rows, columns])]);
        graph.initializers.push({ name: 'embedgate_int8/one', shape: [], values: Float32Array.of(7) });
        graph.output('y', 'Mul', [hidden, 'embedgate_int8/one']);
      }),
      /^it has the name "embedgate_int8\/one", which conversion needs$/,
    ));

  it('with a matrix that was rounded to integers on the way', () =>
    assertRefused(
      smallModel((graph) => {
        const matrix = graph.tensor(kernel, [rows, columns]);
        const rounded = graph.op('Cast', [graph.op('Cast', [matrix], { to: { int: 6 } })], float);
        graph.output('y', 'MatMul', ['x', rounded]);
      }),
      /^it has no products/,
    ));

  it('with a matrix that is larger than its file', () =>
    assertRefused(
      smallModel((graph) => graph.output('y', 'MatMul', ['x', 'outside']), {
        initializers: [
          { name: 'outside', shape: [1, 2 ** 30], type: 1, location: 'model.onnx', offset: 0, length: 64 },
        ],
      }),
      /^it has no products/,
    ));

  for (const location of ['../secret', 'parts/../../secret', '/secret', 'C:secret', '..\\secret']) {
    const outside = { name: 'outside', shape: [rows, columns], type: 1, location, offset: 0, length: 6144 };
    const places: Record<string, OnnxModel> = {
      'an initializer': smallModel((graph) => graph.output('y', 'MatMul', ['x', 'outside']), {
        initializers: [outside],
      }),
      'a constant': smallModel((graph) => {
        graph.output('y', 'MatMul', ['x', graph.op('Constant', [], { value: { tensor: outside } })]);
      }),
    };
    for (const [place, model] of Object.entries(places)) {
      it(`with weights outside its directory, in ${location}, of ${place}`, () =>
        assert.rejects(converted(model), {
          name: 'NotConvertible',
          message: `its weights are in "${location}", outside the graph's directory`,
        }));
    }
  }
});

describe('weights that are far above their column', () => {
  const length = 200;
  const usual = noise(length * columns);
  const [column, row] = [7, 100];
  const matrix = usual.map((value, i) =>
    i % columns === column && Math.floor(i / columns) === row ? 3_000 : value,
  );
  const input = noise(5 * length, 3);
  const ofColumn = (y: Float32Array) => y.filter((_, i) => i % columns === column);
  const rest = (y: Float32Array, inputs: Float32Array) =>
    ofColumn(y).map((value, token) => value - 3_000 * inputs[token * length + row]!);

  for (const op of ['Identity', 'Relu'])
    it(`are added in float32, so the others keep their precision, after ${op}`, async () => {
      const model = smallModel(
        (graph) =>
          graph.output('y', 'MatMul', [graph.op(op, ['x']), graph.tensor(matrix, [length, columns])]),
        { inputs: [{ name: 'x', type: 'float32', shape: ['texts', 'tokens', length] }] },
      );
      const made = await converted(model);
      const [before, after] = [
        await run(made.from, input, [1, 5, length]),
        await run(made.to, input, [1, 5, length]),
      ];
      const inputs = op === 'Relu' ? input.map((value) => Math.max(0, value)) : input;
      const differs = difference(rest(before, inputs), rest(after, inputs));
      assert.ok(differs > 0 && differs <= tolerance, `differs by ${differs}`);
    });
});

/** Returns n, which is x · matrix + x divided by its size. */
const normalizations: Record<string, (graph: GraphBuilder, sum: string) => string> = {
  'as one operator': (graph, sum) => {
    const [scale, offset] = [new Float32Array(rows).fill(1), new Float32Array(rows)];
    return graph.op('LayerNormalization', [sum, graph.tensor(scale, [rows]), graph.tensor(offset, [rows])]);
  },
  'as several operators': (graph, sum) => {
    const squares = graph.op('ReduceMean', [graph.op('Mul', [sum, sum])], { axes: { ints: [-1] } });
    return graph.op('Div', [sum, graph.op('Sqrt', [squares])]);
  },
};

describe('a column that normalization makes large', () => {
  const large = 3;
  const enlarging = new Float32Array(rows * rows);
  for (let i = 0; i < rows; i++) enlarging[i * rows + i] = i === large ? 40 : 1;
  const reduced = kernel.map((value, i) => (Math.floor(i / columns) === large ? value / 40 : value));
  const parts = {
    'the product': columns,
    'another product of the matrix': columns,
    'the sum after it': rows,
  };

  for (const [kind, normalize] of Object.entries(normalizations)) {
    it(`takes no precision from the others, and stays as it is for other readers, normalized ${kind}`, async () => {
      const made = await converted(
        smallModel((graph) => {
          const sum = graph.op('Add', [
            'x',
            graph.op('MatMul', ['x', graph.tensor(enlarging, [rows, rows])]),
          ]);
          const normalized = normalize(graph, sum);
          const matrix = graph.tensor(reduced, [rows, columns]);
          const products = [normalized, 'x'].map((input) => graph.op('MatMul', [input, matrix]));
          const after = graph.op('Add', [normalized, 'x']);
          graph.output('y', 'Identity', [graph.op('Concat', [...products, after], { axis: { int: -1 } })]);
        }),
        {},
        { computeTexts },
      );
      const [before, after] = [await run(made.from, x, shape), await run(made.to, x, shape)];
      let from = 0;
      for (const [part, size] of Object.entries(parts)) {
        const isPart = (_: number, i: number) =>
          i % (2 * columns + rows) >= from && i % (2 * columns + rows) < from + size;
        const differs = difference(before.filter(isPart), after.filter(isPart));
        from += size;
        assert.ok(differs <= tolerance, `${part} differs by ${differs}`);
      }
    });
  }
});

describe('a product with int8', () => {
  it('gives a row the same result, whatever the other rows are', async () => {
    const { to } = await converted(smallModel(plain));
    const row = noise(rows, 11);
    const alone = await run(to, row, [1, 1, rows]);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.nat({ max: 39 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom(1e-6, 1, 1e6),
        async (count, at, seed, factor) => {
          const place = at % count;
          const batch = noise(count * rows, seed).map((value) => value * factor);
          batch.set(row, place * rows);
          const results = await run(to, batch, [1, count, rows]);
          assert.deepEqual(results.subarray(place * columns, (place + 1) * columns), alone);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('never needs more than 32 bits for a sum, because products with more summands stay in float32', async () => {
    // With ones and a Relu, all weights and all inputs become the largest integers.
    const longest = Math.floor((2 ** 31 - 1) / (255 * 63));
    for (const [length, expected] of [
      [longest, 2],
      [longest + 1, 1],
    ] as const) {
      const ones = new Float32Array(length).fill(1);
      const { to, products } = await converted(
        smallModel(
          (graph) => {
            const sum = graph.op('MatMul', [graph.op('Relu', ['x']), graph.tensor(ones, [length, 1])]);
            graph.output('y', 'MatMul', [sum, graph.tensor(ones.subarray(0, 1), [1, 1])]);
          },
          { inputs: [{ name: 'x', type: 'float32', shape: ['texts', 'tokens', length] }] },
        ),
      );
      assert.equal(products, expected);
      const [sum] = await run(to, ones, [1, 1, length]);
      assert.ok(Math.abs(sum! / length - 1) < 1e-6, `${sum} instead of ${length}`);
    }
  });

  it('never needs more than the 16 bits in which CPUs without VNNI add two products', async () => {
    const extreme = new Float32Array(rows * columns).fill(1);
    const { to } = await converted(
      smallModel((graph) => graph.output('y', 'MatMul', ['x', graph.tensor(extreme, [rows, columns])])),
    );
    const sums = await run(to, new Float32Array(rows).fill(1), [1, 1, rows]);
    assert.ok(sums.every((sum) => Math.abs(sum - rows) < 1e-3));
    const weights = new Int8Array(await readFile(`${to}_data`));
    assert.deepEqual([...new Set(weights)], [63]);
  });
});
