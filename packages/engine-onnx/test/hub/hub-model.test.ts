import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Fault, type HubModel, ModelHub } from '../../../../test/helpers/model-hub.ts';
import { writeBertModel } from '../../../../test/helpers/models/write-bert-model.ts';
import { nativeProblem } from '../../../encoder-native/src/index.ts';
import { ensureHubModel, type HubModelRequest, listHubModels } from '../../src/hub/hub-model.ts';
import { openOnnxEngine } from '../../src/onnx-engine.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { change } from '../tiny-model.ts';

const id = 'acme/tiny-bert';
const graph = 'onnx/model.onnx';
const original = await temporaryDirectory();
await writeBertModel(original, { prompts: { query: 'q: ' } });
await writeBertModel(original, { file: 'onnx/model_quantized.onnx', seed: 2, prompts: { query: 'q: ' } });
await writeFile(join(original, 'onnx/model.onnx_data'), 'weights beside the graph');
await writeFile(join(original, 'pytorch_model.bin'), 'not for ONNX');
await writeFile(join(original, 'README.md'), '# Tiny');
const usageFiles = [
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
  'modules.json',
  'sentence_bert_config.json',
];
const basics = ['README.md', 'config.json', 'tokenizer.json', 'tokenizer_config.json'];

/** A hub with one model, and a client that pulls it into an empty data directory. */
async function setUp(models: Record<string, HubModel> = { [id]: { directory: original } }) {
  const hub = await ModelHub.start(models);
  const dataDir = join(await temporaryDirectory(), 'data');
  const pull = (request: Partial<HubModelRequest> = {}): Promise<string> =>
    ensureHubModel({ dataDir, id, endpoint: hub.endpoint, token: null, retryDelayMs: 1, ...request });
  return { hub, dataDir, pull, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

/** A server that is closed at the end of its block. */
async function listen(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: close,
  };
}

async function pathsIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1)).sort();
}

async function assertWhole(directory: string, graphs = [graph, 'onnx/model.onnx_data']): Promise<void> {
  const expected = [...graphs, ...basics, ...usageFiles];
  assert.deepEqual(await pathsIn(directory), [...expected, 'SHA256SUMS', 'source.json'].sort());
  for (const path of expected) {
    assert.deepEqual(await readFile(join(directory, path)), await readFile(join(original, path)), path);
  }
}

const families = fileURLToPath(new URL('../../../encoder-native/test/families/', import.meta.url));

describe('a model of a hub with weights in safetensors', () => {
  /** A repository of a tiny model with a tokenizer. */
  async function published(name: string): Promise<string> {
    const directory = await temporaryDirectory();
    await cp(join(families, name), directory, { recursive: true });
    for (const path of ['tokenizer.json', 'modules.json', '1_Pooling'])
      await cp(join(original, path), join(directory, path), { recursive: true });
    return directory;
  }
  const shards = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];

  it('is pulled without a graph if the native encoder knows its family', {
    skip: nativeProblem ?? false,
  }, async () => {
    const directory = await published('roberta');
    await cp(join(original, graph), join(directory, 'model.onnx'));
    await using it = await setUp({ [id]: { directory } });
    const pulled = await it.pull();
    const files = [
      '1_Pooling/config.json',
      'SHA256SUMS',
      'config.json',
      'modules.json',
      'source.json',
      'tokenizer.json',
    ];
    assert.deepEqual(await pathsIn(pulled), [...files, ...shards, 'model.safetensors.index.json'].sort());
    assert.ok((await pathsIn(await it.pull({ dtype: 'model.onnx' }))).includes('model.onnx'));
  });

  it('is pulled without a graph if it scores pairs, and refused if the native encoder has no such score', {
    skip: nativeProblem ?? false,
  }, async () => {
    const directory = await published('modernbert');
    for (const path of ['modules.json', '1_Pooling']) await rm(join(directory, path), { recursive: true });
    await using it = await setUp({ [id]: { directory } });
    assert.ok((await pathsIn(await it.pull())).includes('model.safetensors'));
    // As newer versions of sentence-transformers describe a cross-encoder.
    const modules = [{ type: 'sentence_transformers.models.Transformer', path: '' }];
    await writeFile(join(directory, 'modules.json'), JSON.stringify(modules));
    await change(directory, 'config.json', (config) =>
      Object.assign(config, { classifier_activation: 'relu' }),
    );
    await using other = await setUp({ [id]: { directory } });
    await assert.rejects(
      other.pull(),
      /has no ONNX graph, and "classifier_activation" of config.json is relu/,
    );
  });

  it('is pulled with the weights of its Dense modules, and refused if they are in another format', {
    skip: nativeProblem ?? false,
  }, async () => {
    const directory = await published('bert');
    await mkdir(join(directory, '2_Dense'));
    const activation_function = 'torch.nn.modules.linear.Identity';
    await writeFile(
      join(directory, '2_Dense', 'config.json'),
      JSON.stringify({ out_features: 16, activation_function }),
    );
    const modules = ['Transformer', 'Pooling', 'Dense'].map((type, i) => ({ type, path: `${i}_${type}` }));
    await writeFile(join(directory, 'modules.json'), JSON.stringify(modules));
    await using without = await setUp({ [id]: { directory } });
    await assert.rejects(without.pull(), /has no ONNX graph, and there is no 2_Dense.model.safetensors/);
    await cp(join(directory, 'model.safetensors'), join(directory, '2_Dense', 'model.safetensors'));
    await using it = await setUp({ [id]: { directory } });
    assert.ok((await pathsIn(await it.pull())).includes('2_Dense/model.safetensors'));
    await writeFile(join(directory, '2_Dense', 'config.json'), JSON.stringify({ out_features: 16 }));
    await using unknown = await setUp({ [id]: { directory } });
    await assert.rejects(
      unknown.pull(),
      /has no ONNX graph, and .*2_Dense.config.json: the Dense module has/,
    );
  });

  it('is pulled as a graph if it has one, and refused with the reason if it has none, for other families', async () => {
    const directory = await published('bert');
    await change(directory, 'config.json', (config) => Object.assign(config, { attn_logit_softcapping: 50 }));
    await using it = await setUp({ [id]: { directory } });
    await assert.rejects(
      it.pull(),
      /has no ONNX graph, and the native encoder .*; "optimum-cli export onnx .*" makes one/,
    );
    await cp(join(original, graph), join(directory, 'model.onnx'));
    await using other = await setUp({ [id]: { directory } });
    const names = await pathsIn(await other.pull());
    assert.ok(names.includes('model.onnx') && !names.includes('model.safetensors'));
  });
});

describe('a model of a hub', () => {
  it('is pulled with the files it needs and no others, and then runs', async () => {
    await using it = await setUp();
    const progress: [number, number][] = [];
    const directory = await it.pull({ onProgress: (done, total) => progress.push([done, total]) });
    await assertWhole(directory);
    const engine = await openOnnxEngine({ directory, name: id, workers: 1, threadsPerWorker: 1 });
    await engine.close();
    assert.equal(engine.model.dimensions, 16);
    const [last = [0, 0]] = progress.toReversed();
    assert.deepEqual(progress[0], [0, last[1]]);
    assert.equal(last[0], last[1]);
    assert.ok(progress.every(([done], i) => done >= (progress[i - 1]?.[0] ?? 0)));
  });

  it('is used without the network once it is pulled, by branch and by commit', async () => {
    await using it = await setUp();
    const directory = await it.pull();
    const commit = directory.slice(-40);
    const asked = it.hub.requests.length;
    assert.equal(await it.pull(), directory);
    assert.equal(await it.pull({ revision: commit, refresh: true }), directory);
    assert.equal(it.hub.requests.length, asked);
    await it.hub[Symbol.asyncDispose]();
    assert.equal(await it.pull({ endpoint: 'http://127.0.0.1:1' }), directory);
  });

  it('is updated on request', async () => {
    const directory = await temporaryDirectory();
    await writeBertModel(directory);
    await using it = await setUp({ [id]: { directory } });
    const before = await it.pull();
    assert.equal(await it.pull({ refresh: true }), before);
    assert.equal(it.hub.contentRequests(graph).length, 1);
    await writeBertModel(directory, { seed: 9 });
    const after = await it.pull({ refresh: true });
    assert.notEqual(after, before);
    assert.equal(await it.pull(), after);
  });

  it('comes with the graph of the requested dtype', async () => {
    await using it = await setUp();
    const directory = await it.pull({ dtype: 'q8' });
    await assertWhole(directory, ['onnx/model_quantized.onnx']);
    assert.notEqual(await it.pull(), directory);
    await assert.rejects(
      it.pull({ dtype: 'q4' }),
      /acme\/tiny-bert: no model_q4\.onnx; set --dtype.*to one of fp32, q8/,
    );
    assert.deepEqual((await listHubModels(it.dataDir)).map(({ dtype }) => String(dtype)).sort(), [
      'null',
      'q8',
    ]);
  });

  it('is pooled like the model that its card says it was converted from', async () => {
    const converted = await temporaryDirectory();
    await writeBertModel(converted);
    for (const file of usageFiles) await rm(join(converted, file));
    const models = (card: object) => ({
      'acme/conversion': { directory: converted, card: { base_model: id, ...card } },
      [id]: { directory: original },
    });
    await using it = await setUp(models({ library_name: 'transformers.js' }));
    const directory = await it.pull({ id: 'acme/conversion' });
    const [model] = await listHubModels(it.dataDir);
    assert.equal(model?.usage?.id, id);
    await (await openOnnxEngine({ directory, name: id, workers: 1, threadsPerWorker: 1 })).close();

    await using other = await setUp(models({ base_model_relation: 'finetune' }));
    const alone = await other.pull({ id: 'acme/conversion' });
    assert.deepEqual(
      (await pathsIn(alone)).filter((path) => usageFiles.includes(path)),
      [],
    );
    await assert.rejects(
      openOnnxEngine({ directory: alone, name: id, workers: 1, threadsPerWorker: 1 }),
      /set EMBEDDING_POOLING/,
    );
  });
});

describe('a broken download', () => {
  const size = async (path: string) => (await readFile(join(original, path))).length;

  it('continues where it was cut, and requests only the rest', async () => {
    await using it = await setUp();
    it.hub.faults.set(graph, ['cut']);
    await assertWhole(await it.pull());
    const [first, second, ...more] = it.hub.contentRequests(graph);
    assert.equal(first?.range, undefined);
    const [, start] = /^bytes=(\d+)-$/.exec(second?.range ?? '') ?? [];
    assert.ok(Number(start) > 0 && Number(start) <= (await size(graph)) / 2);
    assert.deepEqual([second?.status, more], [206, []]);
  });

  it('is retried when the hub fails for a moment', async () => {
    await using it = await setUp();
    it.hub.faults.set('revision/main', ['unavailable', 'unavailable']);
    it.hub.faults.set('modules.json', ['unavailable']);
    await assertWhole(await it.pull());
  });

  it('waits as long as the hub asks for, and says so', async () => {
    await using it = await setUp();
    it.hub.faults.set('revision/main', ['busy']);
    it.hub.faults.set('modules.json', ['limited']);
    const lines: string[] = [];
    await assertWhole(await it.pull({ onBusy: (line) => lines.push(line) }));
    assert.equal(lines.length, 2);
    assert.match(lines[0]!, /^127\.0\.0\.1:\d+ asks to wait 1 seconds$/);
    it.hub.faults.set('revision/main', Array(3).fill('busy'));
    await assert.rejects(it.pull({ refresh: true }), /returns status 429: .*HF_TOKEN has a higher one$/);
  });

  it('continues in another attempt after this one was given up', async () => {
    await using it = await setUp();
    const stop = new AbortController();
    it.hub.faults.set(graph, ['silent']);
    const onProgress = (done: number, total: number) => {
      if (done > 0 && done < total && it.hub.faults.get(graph)?.length === 0)
        stop.abort(new Error('stopped'));
    };
    await assert.rejects(it.pull({ signal: stop.signal, onProgress }), /stopped/);
    assert.deepEqual(await listHubModels(it.dataDir), []);
    await assertWhole(await it.pull());
    assert.match(it.hub.contentRequests(graph).at(-1)?.range ?? '', /^bytes=[1-9]/);
  });

  it('keeps what it has when a page of a proxy comes instead of the rest', async () => {
    await using it = await setUp();
    it.hub.faults.set(graph, ['cut', 'page']);
    await assert.rejects(it.pull(), /model\.onnx: .*text\/html/);
    await assertWhole(await it.pull());
    assert.match(it.hub.contentRequests(graph).at(-1)?.range ?? '', /^bytes=[1-9]/);
  });

  it('starts again from the beginning when the hub supports no ranges', async () => {
    await using it = await setUp();
    it.hub.faults.set(graph, ['cut', 'ignores ranges']);
    const seen: number[] = [];
    await assertWhole(await it.pull({ onProgress: (done) => seen.push(done) }));
    assert.ok(seen.some((done, i) => done < (seen[i - 1] ?? 0)));
  });

  const refused = (what: string, faults: Fault[], message: RegExp, path = graph) =>
    it(`is refused and not used: ${what}`, async () => {
      await using it = await setUp();
      it.hub.faults.set(path, faults);
      // A busy machine is silent for a while too.
      const idleMs = faults.includes('mute') ? 100 : 30_000;
      await assert.rejects(it.pull({ idleMs }), message);
      assert.deepEqual(await listHubModels(it.dataDir), []);
      assert.ok(!(await pathsIn(it.dataDir)).some((file) => file.endsWith(path)));
      await assertWhole(await it.pull());
    });
  refused(
    'a wrong checksum',
    ['damaged'],
    /onnx\/model\.onnx: the data from 127.* do not match the stated checksum/,
  );
  refused(
    'a wrong checksum of a small file',
    ['damaged'],
    /config\.json: .* do not match the stated checksum/,
    'tokenizer_config.json',
  );
  const wrongSize =
    /model\.onnx: 127.*, sends \d+ bytes \(no content type\) instead of the \d+ that it has stated$/;
  refused('more bytes than were stated', ['longer'], wrongSize);
  refused('a cut file', ['shorter'], wrongSize);
  refused('the rest of a cut file', ['cut', 'shorter'], wrongSize);
  refused('a cut file of unknown length', ['shorter, in chunks'], wrongSize);
  refused('a cut file of a mirror without ranges', ['cut', 'shorter, without ranges'], wrongSize);
  refused(
    'a page of a proxy',
    ['page'],
    /config\.json: .* sends 14 bytes \(text\/html\)/,
    'tokenizer_config.json',
  );
  refused('a page of unknown length', ['page, in chunks'], /model\.onnx: .* sends 17 bytes \(text\/html\)/);
  refused('a hub that stays out of order', Array(5).fill('unavailable'), /returns status 503/);
  refused(
    'a hub that falls silent',
    Array(5).fill('mute'),
    /cannot be read: it has stopped sending/,
    'modules.json',
  );

  it('is not trusted if its files were changed afterwards', async () => {
    await using it = await setUp();
    const directory = await it.pull();
    await truncate(join(directory, graph), 100);
    await assertWhole(await it.pull());
  });

  it('is continued by one of the others who waited for it to end', async () => {
    await using it = await setUp();
    const first = await beginPull(it);
    const twoWait = Promise.withResolvers<void>();
    let waiting = 0;
    const onWait = () => {
      waiting += 1;
      if (waiting === 2) twoWait.resolve();
    };
    const others = Promise.all([it.pull({ onWait }), it.pull({ onWait })]);
    await twoWait.promise;
    await first.stop();
    const [one, two] = await others;
    assert.equal(one, two);
    await assertWhole(one);
    assert.equal(it.hub.contentRequests('tokenizer.json').length, 1);
    assert.equal(it.hub.contentRequests(graph).length, 2);
  });

  it('lets another pull stop waiting at its signal', async () => {
    await using it = await setUp();
    const first = await beginPull(it);
    const stop = new AbortController();
    const onWait = () => stop.abort(new Error('stopped'));
    await assert.rejects(it.pull({ signal: stop.signal, onWait }), { name: 'AbortError' });
    await first.stop();
  });
});

/** Begins a pull, which waits in the middle of the graph until it is stopped. */
async function beginPull(it: Awaited<ReturnType<typeof setUp>>): Promise<{ stop(): Promise<void> }> {
  it.hub.faults.set(graph, ['silent']);
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const isInGraph = () => it.hub.faults.get(graph)?.length === 0;
  const pulled = it.pull({ signal: stop.signal, onProgress: () => isInGraph() && begun.resolve() });
  const refused = assert.rejects(pulled, /stopped/);
  await begun.promise;
  return {
    stop: () => {
      stop.abort(new Error('stopped'));
      return refused;
    },
  };
}

describe('access to a hub', () => {
  const token = 'hf_secret';
  const gated = { [id]: { directory: original, token } };

  it('uses HF_TOKEN, which only the hub itself sees', async () => {
    await using it = await setUp(gated);
    await assertWhole(await it.pull({ token }));
    const seenBy = (host: string) =>
      new Set(
        it.hub.requests.filter((request) => request.host === host).map(({ authorization }) => authorization),
      );
    assert.deepEqual([...seenBy('hub')], [`Bearer ${token}`]);
    assert.deepEqual([...seenBy('storage')], [undefined]);
  });

  it('fails with a message that says to set a token, or that the token lacks access, and never contains it', async () => {
    await using it = await setUp(gated);
    await assert.rejects(it.pull(), /refuses access \(401\).*private or gated, and set HF_TOKEN/);
    await assert.rejects(it.pull({ token: 'hf_wrong' }), (error: Error) => {
      assert.match(error.message, /HF_TOKEN does not grant access/);
      return !error.message.includes('hf_wrong');
    });
  });

  it('fails with 404 for a missing model, and sends no request for an invalid id', async () => {
    await using it = await setUp();
    await assert.rejects(it.pull({ id: 'acme/other' }), /no such model, revision or file \(404\)/);
    await assert.rejects(it.pull({ revision: 'v9' }), /\(404\)/);
    const asked = it.hub.requests.length;
    for (const wrong of ['bert', '../x/y', '../../etc', 'a/..', 'a b/c']) {
      await assert.rejects(it.pull({ id: wrong }), /is not a model's id/);
    }
    assert.equal(it.hub.requests.length, asked);
  });

  const listing = (entries: readonly object[]) => {
    const commit = 'a'.repeat(40);
    const server = createServer((request, response) =>
      response.end(JSON.stringify(request.url?.includes('/tree/') ? entries : { sha: commit })),
    );
    return listen(server);
  };
  const file = { type: 'file', path: 'tokenizer.json', oid: 'b'.repeat(40), size: 1 };
  for (const [what, entries, message] of [
    [
      'a file of negative size',
      [{ ...file, size: -1 }],
      /a file of acme\/tiny-bert without path, size or checksum/,
    ],
    ['a path without end', [{ ...file, path: 'a'.repeat(2_000) }], /the path "a+" for a file .*: refused/],
    [
      'too many files',
      Array.from({ length: 20_001 }, () => file),
      /more than 20000 files of acme\/tiny-bert/,
    ],
  ] as const) {
    it(`is refused if the hub lists ${what}`, async () => {
      await using server = await listing(entries);
      await using it = await setUp();
      await assert.rejects(it.pull({ endpoint: server.endpoint }), { name: 'HubError', message });
    });
  }

  it('names the host that it cannot reach', async () => {
    await using it = await setUp();
    const { endpoint } = it.hub;
    await it.hub[Symbol.asyncDispose]();
    await assert.rejects(it.pull({ endpoint }), /127\.0\.0\.1:\d+ cannot be read: ECONNREFUSED/);
  });
});
