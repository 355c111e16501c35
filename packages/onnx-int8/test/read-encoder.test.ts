import assert from 'node:assert/strict';
import { cpSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { untilEnd } from '../../../test/helpers/until-end.ts';
import { encoded, encodeOnnxModel, layoutKey, readEncoder } from '../src/index.ts';
import { columns, converted, noise, rows, smallModel } from './small-graph.ts';

describe('the layout that a graph states', () => {
  it('names tensors, and an error names the file that is too short for one', () => {
    const graph = join(untilEnd(temporaryDirectory()).path, 'model.onnx');
    const builtin = fileURLToPath(new URL('../../builtin-model/model/onnx/model.onnx', import.meta.url));
    for (const ending of ['', '_data']) cpSync(builtin + ending, graph + ending);
    const encoder = readEncoder(graph)!;
    const { values } = encoder.layout.layers[5]!.down;
    assert.deepEqual(encoder.tensor(values).shape, [1536, 384]);
    truncateSync(`${graph}_data`, 100);
    assert.throws(() => encoder.tensor(values), {
      message: `${graph}_data doesn't have all of the tensor "${values}"`,
    });
    assert.throws(() => encoder.tensor('none'), { message: `${graph} has no tensor "none"` });
  });

  it('is not in a converted graph, which has other tensors', async () => {
    const model = smallModel((graph) =>
      graph.output('y', 'MatMul', ['x', graph.tensor(noise(rows * columns), [rows, columns])]),
    );
    const file = Buffer.concat([encodeOnnxModel(model), encoded.metadata(layoutKey, '{}')]);
    const { from, to } = await converted(model, { 'model.onnx': file });
    assert.deepEqual(readEncoder(from)?.layout, {});
    assert.equal(readEncoder(to), undefined);
  });
});
