import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { ModelHub } from '../../../test/helpers/model-hub.ts';
import { writeBertModel } from '../../../test/helpers/models/write-bert-model.ts';
import { ensureHubModel } from '../src/hub/hub-model.ts';
import { openOnnxEngine } from '../src/onnx-engine.ts';

const tensorBytes = 64;

// ONNX Runtime makes this check itself. The test detects a version that does not.
describe('a graph that names a file of weights', () => {
  const place = temporaryDirectory();
  after(() => place[Symbol.dispose]());
  const secret = join(place.path, 'signing-key.pem');

  const open = async (location: string): Promise<void> => {
    const directory = join(place.path, 'model');
    mkdirSync(directory, { recursive: true });
    await writeBertModel(directory);
    writeFileSync(secret, Buffer.alloc(tensorBytes, 1));
    writeFileSync(join(directory, 'onnx/model.onnx_data'), Buffer.alloc(tensorBytes, 1));
    appendFileSync(join(directory, 'onnx/model.onnx'), outputOf(location));
    const engine = await openOnnxEngine({ directory, name: 'model', workers: 1, threadsPerWorker: 1 });
    await engine.close();
  };

  it('loads a file beside the graph', () => open('model.onnx_data'));

  it('includes the weights in its fingerprint, whatever they are called', async () => {
    const directory = join(place.path, 'named');
    mkdirSync(join(directory, 'onnx/parts'), { recursive: true });
    await writeBertModel(directory);
    appendFileSync(join(directory, 'onnx/model.onnx'), outputOf('parts/weights.bin'));
    await assert.rejects(
      fingerprintOf(directory),
      /onnx\/parts\/weights\.bin: missing, although the graph names it/,
    );
    const fingerprints: string[] = [];
    for (const value of [1, 2]) {
      writeFileSync(join(directory, 'onnx/parts/weights.bin'), Buffer.alloc(tensorBytes, value));
      fingerprints.push(await fingerprintOf(directory));
    }
    assert.notEqual(fingerprints[0], fingerprints[1]);
  });

  it('is pulled with its weights', async () => {
    const directory = join(place.path, 'remote');
    mkdirSync(join(directory, 'onnx'), { recursive: true });
    await writeBertModel(directory);
    appendFileSync(join(directory, 'onnx/model.onnx'), outputOf('weights.bin'));
    const pull = async () => {
      await using hub = await ModelHub.start({ 'org/model': { directory } });
      const dataDir = join(place.path, 'data');
      return await ensureHubModel({ dataDir, id: 'org/model', endpoint: hub.endpoint, token: null });
    };
    await assert.rejects(
      pull(),
      /org\/model: onnx\/weights\.bin is missing, although onnx\/model\.onnx names it/,
    );
    const weights = Buffer.alloc(tensorBytes, 7);
    writeFileSync(join(directory, 'onnx/weights.bin'), weights);
    assert.deepEqual(readFileSync(join(await pull(), 'onnx/weights.bin')), weights);
  });

  it('is refused when the file is outside the model', async () => {
    for (const location of ['../../signing-key.pem', 'x/../../../signing-key.pem', secret]) {
      await assert.rejects(open(location), /External data path/, location);
    }
  });
});

async function fingerprintOf(directory: string): Promise<string> {
  const engine = await openOnnxEngine({ directory, name: 'model', workers: 1, threadsPerWorker: 1 });
  await engine.close();
  return engine.model.fingerprint;
}

/** Protobuf merges what follows: one more output of the graph, with the content of the file at `location`. */
function outputOf(location: string): Uint8Array {
  const writer = new BinaryWriter();
  message(writer, 7, (graph) => {
    message(graph, 1, (node) => {
      for (const [field, value] of [
        [1, 'read'],
        [2, 'shown'],
        [4, 'Identity'],
      ] as const)
        text(node, field, value);
    });
    message(graph, 5, (tensor) => {
      tensor.tag(1, WireType.Varint).int64(tensorBytes / 4);
      tensor.tag(2, WireType.Varint).int64(1);
      text(tensor, 8, 'read');
      for (const [key, value] of [
        ['location', location],
        ['length', String(tensorBytes)],
      ] as const) {
        message(tensor, 13, (entry) => {
          text(entry, 1, key);
          text(entry, 2, value);
        });
      }
      tensor.tag(14, WireType.Varint).int64(1);
    });
    message(graph, 12, (value) => {
      text(value, 1, 'shown');
      message(value, 2, (type) => message(type, 1, (of) => of.tag(1, WireType.Varint).int64(1)));
    });
  });
  return writer.finish();
}

function message(writer: BinaryWriter, field: number, write: (writer: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}
