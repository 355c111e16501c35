import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { freePort } from '../../helpers/free-port.ts';
import { ModelHub } from '../../helpers/model-hub.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Model = { id: string; commit: string; dtype: string | null; directory: string; size_bytes: number };

describe('the models commands', async () => {
  const original = untilEnd(temporaryDirectory());
  const data = untilEnd(temporaryDirectory());
  const token = 'hf_a-secret';
  await writeBertModel(original.path);
  await writeBertModel(original.path, { file: 'onnx/model_quantized.onnx' });
  writeFileSync(join(original.path, 'onnx/model.onnx_data'), 'weights beside the graph');
  const hub = untilEnd(await ModelHub.start({ 'acme/tiny-bert': { directory: original.path, token } }));
  const environment = { DATA_DIR: join(data.path, 'new'), HF_ENDPOINT: `${hub.endpoint}/`, HF_TOKEN: token };

  const run = (args: string[], changes: Record<string, string> = {}) =>
    runCommand(['models', ...args], { ...environment, ...changes });

  it('list says that there are none before the first pull', async () => {
    const { code, stdout, stderr } = await run(['list']);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /No models have been pulled yet/);
    assert.ok(!existsSync(environment.DATA_DIR!));
  });

  it('pull downloads a model that a server then serves', async () => {
    const { id, commit, dtype, directory, size_bytes } = await embedgateJson<Model>(
      ['models', 'pull', 'acme/tiny-bert'],
      environment,
    );
    assert.deepEqual([id, dtype], ['acme/tiny-bert', null]);
    assert.match(commit, /^[0-9a-f]{40}$/);
    assert.ok(directory.startsWith(environment.DATA_DIR!) && size_bytes > 10_000);
    await using app = await listeningApp({ environment: { EMBEDDING_MODEL: directory } });
    const response = await requestEmbeddings(app.address, app.key, 'hello');
    const { data: embeddings } = (await response.json()) as { data: { embedding: number[] }[] };
    assert.equal(embeddings[0]?.embedding.length, 16);
  });

  it('pull takes a dtype and a revision, and prints nothing on a stderr that is not a terminal', async () => {
    const pulled = await run(['pull', 'acme/tiny-bert', '--dtype', 'q8', '--revision', 'main']);
    assert.match(
      done(pulled),
      /^model +acme\/tiny-bert\ncommit +[0-9a-f]{40}\ngraph +onnx\/model_quantized\.onnx\n/,
    );
    assert.equal(pulled.stderr, '');
  });

  it('list shows what was pulled', async () => {
    const text = done(await run(['list']));
    assert.match(text, /^MODEL +COMMIT +GRAPH +SIZE\nacme\/tiny-bert +[0-9a-f]{12} +onnx\/model/);
    const { data: models } = await embedgateJson<{ data: Model[] }>(['models', 'list'], environment);
    assert.deepEqual(models.map(({ dtype }) => String(dtype)).sort(), ['null', 'q8']);
  });

  const skip = process.getuid?.() !== 0;
  it('another user can use what root has pulled, without the network, and what they may not do is named', {
    skip,
  }, async () => {
    const nobody = 65_534;
    const home = environment.DATA_DIR!;
    const args = ['models', 'convert', 'acme/tiny-bert'];
    const offline = { ...environment, HF_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
    const convert = (dataDir: string) =>
      embedgate(args, { ...offline, DATA_DIR: dataDir }, undefined, '', nobody);
    chmodSync(data.path, 0o755);
    chownSync(home, nobody, nobody);
    assert.match(
      refused(await convert(home)),
      /neither .* nor .*\/models\/int8.* can be written: EACCES.*; make one writable, or run "embedgate models convert/,
    );
    chmodSync(join(home, 'models/acme'), 0o700);
    const closed = `${home}/models/acme belongs to user 0, and this is user ${nobody})`;
    assert.ok(refused(await convert(home)).includes(closed));
    chmodSync(join(home, 'models/acme'), 0o755);
    const model = mkdtempSync(join(data.path, 'closed-'));
    const serve = { ...offline, DATA_DIR: home, EMBEDDING_MODEL: model };
    const ended = refused(await embedgate(['serve'], serve, undefined, '', nobody));
    assert.ok(ended.includes(`(${model} belongs to user 0, and this is user ${nobody})`), ended);
    chownSync(home, 0, 0);
  });

  it('pull works while the settings name a model that does not exist yet', async () => {
    done(await run(['pull', 'acme/tiny-bert'], { EMBEDDING_MODEL: 'acme/tiny-bert' }));
  });

  it('pull refuses a hub that lists a file outside the model', async () => {
    const weights = 'onnx/model.onnx_data';
    const paths = [
      `${weights}/../../../../signing-key.pem`,
      `${weights}/./x`,
      `${weights}//x`,
      `${weights}/`,
      `${weights}\\..\\..\\x`,
      `${weights}\0x`,
      `${weights}\nx`,
      '/etc/x',
      'C:/x',
      '',
    ];
    for (const path of paths) {
      using place = temporaryDirectory();
      const dataDir = join(place.path, 'data');
      await using hostile = await ModelHub.start({
        'acme/tiny-bert': { directory: original.path, listedAs: { [weights]: path } },
      });
      const reason = refused(
        await run(['pull', 'acme/tiny-bert'], { DATA_DIR: dataDir, HF_ENDPOINT: hostile.endpoint }),
      );
      assert.match(reason, /returns the path ".*" for a file of acme\/tiny-bert: refused$/m, path);
      assert.deepEqual(readdirSync(place.path), [], path);
    }
  });

  it('an error is one line without the token', async () => {
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['pull', 'acme/tiny-bert'], { HF_TOKEN: '' }, /401.*set HF_TOKEN/],
      [['pull', 'acme/tiny-bert'], { HF_ENDPOINT: 'huggingface' }, /^HF_ENDPOINT: is not an http/],
      [
        ['pull', 'acme/tiny-bert'],
        { HF_ENDPOINT: `http://127.0.0.1:${await freePort()}` },
        /127\.0\.0\.1:\d+ cannot be read: ECONNREFUSED 127.*HTTPS_PROXY.*docs\/models\.md#offline/,
      ],
      [
        ['convert', './nowhere'],
        {},
        /^<model>: "\.\/nowhere" is neither the built-in model, nor a directory/,
      ],
    ];
    for (const [args, changes, message] of cases) {
      const reason = refused(await run(args, changes));
      assert.match(reason, message);
      assert.ok(!reason.includes('hf_'));
    }
    assert.match(wrongUsage(await run(['pull'])), /missing required argument 'id'/);
  });
});
