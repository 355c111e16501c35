import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isSealed } from '../../../packages/engine-onnx/src/sealed-directory.ts';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { type Environment, embedgateJson, runCommand, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { ModelHub } from '../../helpers/model-hub.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { canMount, embedgateWithMounts } from '../../helpers/mounts.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Conversion = {
  directory: string;
  products: number;
  correlation: number;
  lowest_cosine: number;
  mean_cosine: number;
};
type Model = { id: string; dtype: string | null; graph: string; directory: string };

const shape = { width: 64, heads: 4, feedForwardWidth: 128 };
const products = 12;

describe('models convert', () => {
  const kept = new DisposableStack();
  after(() => kept.dispose());

  /** A new directory with a model of float32 in `bert`, and an empty data directory. */
  const place = async (): Promise<{ path: string; model: string; environment: Environment }> => {
    const { path } = kept.use(temporaryDirectory());
    const model = join(path, 'bert');
    await writeBertModel(model, shape);
    return { path, model, environment: { DATA_DIR: join(path, 'data') } };
  };
  const convert = (model: string, environment: Environment, ...options: string[]) =>
    runCommand(['models', 'convert', model, ...options], environment);
  const namesIn = (path: string) => readdirSync(path).toSorted();
  const embed = async (environment: Environment): Promise<Float32Array> => {
    await using app = await listeningApp({ environment });
    const response = await requestEmbeddings(app.address, app.key, 'hello');
    assert.equal(response.status, 200);
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    return Float32Array.from(data[0]!.embedding);
  };

  /** Returns why a service does not start. */
  const refusal = async (EMBEDDING_MODEL: string, EMBEDDING_DTYPE: string): Promise<string> => {
    const { path } = kept.use(temporaryDirectory());
    const settings = { EMBEDDING_MODEL, EMBEDDING_DTYPE };
    return refused(await runCommand(['serve'], { DATA_DIR: path, PORT: '0', ...settings }));
  };

  it('writes a smaller model beside the original, states how close it is, and does it once', async () => {
    const { path, model, environment } = await place();
    const args = ['models', 'convert', model];
    const first = await embedgateJson<Conversion>(args, environment);
    assert.equal(first.directory, `${model}.int8-6`);
    assert.equal(first.products, products);
    assert.ok(first.correlation > 0.99 && first.correlation < 1);
    assert.ok(first.lowest_cosine > 0.99 && first.lowest_cosine <= first.mean_cosine);
    assert.ok(first.mean_cosine < 1);
    assert.ok(await isSealed(first.directory));
    const { ino } = statSync(first.directory);
    assert.deepEqual(await embedgateJson<Conversion>(args, environment), first);
    assert.equal(statSync(first.directory).ino, ino);
    assert.deepEqual(namesIn(path), ['bert', 'bert.int8-6']);
    assert.match(
      done(await convert(model, environment)),
      /^model +.*bert\nproducts +12\ncorrelation +(?:0\.99\d\d|1\.0000)\nlowest cosine +0\.99\d\d\nmean cosine +0\.99\d\d\ndirectory +.*int8-6$/m,
    );
  });

  it('makes what a service with EMBEDDING_DTYPE=int8 serves, which converts it itself otherwise', async () => {
    const { model, environment } = await place();
    const { directory } = await embedgateJson<Conversion>(['models', 'convert', model], environment);
    const int8 = await embed({ EMBEDDING_MODEL: model, EMBEDDING_DTYPE: 'int8' });
    rmSync(directory, { recursive: true });
    assert.deepEqual(await embed({ EMBEDDING_MODEL: model, EMBEDDING_DTYPE: 'int8' }), int8);
    assert.ok(await isSealed(directory));
    const float32 = await embed({ EMBEDDING_MODEL: model });
    assert.notDeepEqual(int8, float32);
    assert.ok(float32.reduce((sum, x, i) => sum + x * int8[i]!, 0) > 0.99);
    // The directory can be served by itself.
    assert.deepEqual(await embed({ EMBEDDING_MODEL: directory }), int8);
    assert.deepEqual(await embed({ EMBEDDING_MODEL: directory, EMBEDDING_DTYPE: 'int8' }), int8);
  });

  it('makes a directory that can be served in int8 only, and a start with another dtype says so', async () => {
    const { path, model, environment } = await place();
    const { directory } = await embedgateJson<Conversion>(['models', 'convert', model], environment);
    for (const dtype of ['fp32', 'q8']) {
      assert.match(
        await refusal(directory, dtype),
        new RegExp(
          `bert\\.int8-6 was converted to int8, so it can't be used in ${dtype}; set EMBEDDING_MODEL \\(model in a file\\) to the original in .*/bert, or remove EMBEDDING_DTYPE`,
        ),
      );
    }
    const copy = join(path, 'copy');
    cpSync(directory, copy, { recursive: true });
    assert.match(await refusal(copy, 'fp32'), /copy was converted to int8, .* to the original, or remove/);
    const named = await embed({ EMBEDDING_MODEL: copy, EMBEDDING_DTYPE: 'model.onnx' });
    assert.equal(named.length, shape.width);
    const weights = join(copy, 'onnx', 'model.onnx');
    writeFileSync(weights, Buffer.concat([readFileSync(weights), Buffer.alloc(1)]));
    for (const dtype of ['', 'int8'])
      assert.match(
        await refusal(copy, dtype),
        /copy: the weights differ from what SHA256SUMS lists; convert/,
      );
    rmSync(join(copy, 'SHA256SUMS'));
    assert.match(await refusal(copy, 'fp32'), /copy was converted to int8/);
  });

  it('converts again after the original has changed', async () => {
    const { model, environment } = await place();
    const { directory } = await embedgateJson<Conversion>(['models', 'convert', model], environment);
    const graph = () => readFileSync(join(directory, 'onnx/model.onnx_data'));
    const before = graph();
    await writeBertModel(model, { ...shape, seed: 9 });
    await embedgateJson<Conversion>(['models', 'convert', model], environment);
    assert.notDeepEqual(graph(), before);
  });

  it('uses a conversion whatever EMBEDDING_MAX_TOKENS is, and copies the limit that the files state', async () => {
    const { model, environment } = await place();
    writeFileSync(join(model, 'tokenizer_config.json'), '{"model_max_length":32}');
    const limited = { ...environment, EMBEDDING_MAX_TOKENS: '16' };
    const { directory } = await embedgateJson<Conversion>(['models', 'convert', model], limited);
    const graph = () => statSync(join(directory, 'onnx/model.onnx_data')).ino;
    const before = graph();
    await embedgateJson<Conversion>(['models', 'convert', model], environment);
    assert.equal(graph(), before);
    assert.ok(existsSync(join(directory, 'tokenizer_config.json')));
  });

  it('leaves a directory alone that it has not converted', async () => {
    const { path, model, environment } = await place();
    const own = join(path, 'bert.int8-6');
    mkdirSync(own);
    writeFileSync(join(own, 'notes.txt'), 'mine');
    assert.match(refused(await convert(model, environment)), /bert\.int8-6 is not a converted model/);
    assert.equal(readFileSync(join(own, 'notes.txt'), 'utf8'), 'mine');
  });

  it('refuses a model that ranks texts differently than the bound allows, and leaves nothing', async () => {
    const { path, model, environment } = await place();
    const reason = refused(await convert(model, environment, '--min-correlation', '0.9999999'));
    assert.match(
      reason,
      /can't be converted to int8: it would rank texts in another order.*correlation of 0\.99\d\d, and the bound is 0\.9999999 \(the lowest cosine .* is 0\.99\d\d\); use EMBEDDING_DTYPE=fp32 .*--min-correlation 0\.99/,
    );
    assert.deepEqual(namesIn(path), ['bert']);
    // What was accepted once is used without another look, unless a bound is given again.
    done(await convert(model, environment));
    assert.match(
      refused(await convert(model, environment, '--min-correlation', '0.9999999')),
      /bert can't be used in int8: it would rank texts in another order/,
    );
    done(await convert(model, environment, '--min-correlation', '0.5'));
    wrongUsage(await convert(model, environment, '--min-correlation', 'high'));
  });

  it('refuses a model that is already quantized, and a start does too', async () => {
    const { model, environment } = await place();
    rmSync(join(model, 'onnx'), { recursive: true });
    await writeBertModel(model, { ...shape, quantize: true, file: 'onnx/model_int8.onnx' });
    const expected =
      /model_int8\.onnx can't be converted to int8: it is already quantized \(DequantizeLinear, DynamicQuantizeLinear\); set EMBEDDING_DTYPE \(dtype in a file\) to q8, or to the name of the graph/;
    assert.match(refused(await convert(model, environment)), expected);
    assert.match(await refusal(model, 'int8'), expected);
    // The published graph stays reachable by its name.
    assert.equal((await embed({ EMBEDDING_MODEL: model, EMBEDDING_DTYPE: 'model_int8.onnx' })).length, 64);
  });

  it('leaves nothing that is used when it is killed, and converts at the next call', async () => {
    const { path, environment } = await place();
    const model = join(path, 'larger');
    await writeBertModel(model, { width: 256, heads: 4, feedForwardWidth: 1_024, vocabularySize: 20_000 });
    const isUnfinished = () => namesIn(path).some((name) => name.startsWith('.unfinished-'));
    // Again from the beginning if it ended before the signal arrived.
    do {
      rmSync(`${model}.int8-6`, { recursive: true, force: true });
      const running = spawnEmbedgate(['models', 'convert', model], environment);
      await eventually(isUnfinished);
      running.kill('SIGKILL');
      await running.exited;
    } while (existsSync(`${model}.int8-6`));
    assert.ok(isUnfinished());
    const { directory } = await embedgateJson<Conversion>(['models', 'convert', model], environment);
    assert.ok(await isSealed(directory));
  });

  const skip = !canMount && 'this machine does not let tests mount anything';
  it('writes into the data directory if the original is on a read-only disk', { skip }, async () => {
    const { path, model, environment } = await place();
    const { path: dataDir } = kept.use(temporaryDirectory());
    const mounts = `mount --bind "${path}" "${path}" && mount -o remount,ro,bind "${path}"`;
    const args = ['models', 'convert', model, '--json'];
    const result = await embedgateWithMounts(mounts, args, { DATA_DIR: dataDir });
    const { directory }: Conversion = JSON.parse(done(result));
    assert.equal(dirname(directory), join(dataDir, 'models/int8'));
    assert.ok(await isSealed(directory));
    assert.equal(
      JSON.parse(done(await embedgateWithMounts(mounts, args, { DATA_DIR: dataDir }))).directory,
      directory,
    );
    const reason = refused(await embedgateWithMounts(mounts, args, environment));
    assert.match(reason, /EROFS: read-only file system/);
    assert.deepEqual(namesIn(path), ['bert']);
  });

  it('says when the disk is full', { skip }, async () => {
    const { path, model, environment } = await place();
    const disk = join(path, 'disk');
    // The converted model needs about 200 kB.
    const size = `$(($(du -sk "${model}" | cut -f1) + 100))k`;
    const mounts = `mkdir -p "${disk}" && mount -t tmpfs -o size=${size} tmpfs "${disk}" && cp -r "${model}" "${disk}"`;
    const result = await embedgateWithMounts(mounts, ['models', 'convert', join(disk, 'bert')], environment);
    assert.match(refused(result), /model\.onnx can't be converted to int8: the disk is full$/);
  });
});

describe('models pull --dtype int8', async () => {
  const original = untilEnd(temporaryDirectory());
  const data = untilEnd(temporaryDirectory());
  await writeBertModel(original.path, shape);
  await writeBertModel(original.path, { ...shape, quantize: true, file: 'onnx/model_int8.onnx' });
  const hub = untilEnd(await ModelHub.start({ 'acme/tiny-bert': { directory: original.path } }));
  const environment = { DATA_DIR: data.path, HF_ENDPOINT: hub.endpoint };
  const pull = (dtype: string) =>
    embedgateJson<Model>(['models', 'pull', 'acme/tiny-bert', '--dtype', dtype], environment);

  it('pulls the graph of float32, converts it, and lists both', async () => {
    const { directory, dtype, graph } = await pull('int8');
    assert.deepEqual([dtype, graph], ['int8', 'onnx/model.onnx']);
    assert.match(basename(directory), /^[0-9a-f]{40}\.int8-6$/);
    assert.ok(existsSync(join(directory, 'int8.json')));
    const { data: models } = await embedgateJson<{ data: Model[] }>(['models', 'list'], environment);
    assert.deepEqual(models.map((model) => String(model.dtype)).sort(), ['int8', 'null']);
    const offline = { ...environment, HF_ENDPOINT: 'http://127.0.0.1:1' };
    const served = { EMBEDDING_MODEL: 'acme/tiny-bert', EMBEDDING_DTYPE: 'int8' };
    await using app = await listeningApp({ environment: { ...offline, ...served } });
    assert.equal((await requestEmbeddings(app.address, app.key, 'hello')).status, 200);
  });

  it('refuses the path of a graph', async () => {
    const args = ['models', 'pull', 'acme/tiny-bert', '--dtype', 'onnx/model_int8.onnx'];
    assert.match(refused(await runCommand(args, environment)), /is not a dtype, such as q8/);
  });

  it('pulls the published graph of that name by its whole name', async () => {
    const { directory, graph } = await pull('model_int8.onnx');
    assert.equal(graph, 'onnx/model_int8.onnx');
    assert.match(basename(directory), /^[0-9a-f]{40}-model_int8\.onnx$/);
  });
});
