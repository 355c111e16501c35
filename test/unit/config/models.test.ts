import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { faultOf } from './fault-of.ts';

const builtin = 'all-MiniLM-L6-v2';
/** What a file states about a model that it says nothing about. */
const facts = { deprecated: null, sunset: null, replacement: null };

describe('a file of models', () => {
  const directory = temporaryDirectory();
  after(() => directory[Symbol.dispose]());
  mkdirSync(join(directory.path, 'bge-small'));

  const written = (name: string, text: string): string => {
    const file = join(directory.path, name);
    writeFileSync(file, text);
    return file;
  };
  const modelsOf = (text: string, environment: Record<string, string> = {}, name = 'embedgate.yaml') =>
    readConfig({ EMBEDDING_WORKERS: '3', ...environment, EMBEDGATE_CONFIG: written(name, text) }).models;
  const namesOf = (...args: Parameters<typeof modelsOf>) => modelsOf(...args).map(({ name }) => name);
  const refusal = (text: string, name = 'embedgate.yaml'): string =>
    faultOf(() => modelsOf(text, {}, name), directory.path);

  it('names a directory after its last part, and one of a hub’s cache after the model', () => {
    const cached = 'hub/models--acme--tiny-bert/snapshots/0123abc';
    mkdirSync(join(directory.path, cached), { recursive: true });
    assert.deepEqual(namesOf(`models:\n  - model: ./bge-small\n  - model: ./${cached}\n`), [
      'bge-small',
      'acme/tiny-bert',
    ]);
  });

  it('lists models in YAML or JSON, with the environment’s threads unless they set their own', () => {
    const expected = [
      {
        kind: 'onnx',
        name: 'bge',
        place: { kind: 'directory', path: join(directory.path, 'bge-small') },
        workers: 2,
        threadsPerWorker: 1,
        native: true,
        overrides: {},
        facts,
      },
      {
        kind: 'onnx',
        name: builtin,
        place: { kind: 'builtin' },
        workers: 3,
        threadsPerWorker: 4,
        native: true,
        overrides: {},
        facts,
      },
    ];
    const yaml = `models:\n  - {name: bge, model: ./bge-small, workers: 2}\n  - model: ${builtin}\n    threads: 4\n`;
    assert.deepEqual(modelsOf(yaml), expected);
    const models = [
      { name: 'bge', model: './bge-small', workers: 2 },
      { model: builtin, threads: 4 },
    ];
    assert.deepEqual(modelsOf(`\ufeff${JSON.stringify({ models })}`, {}, 'embedgate.json'), expected);
  });

  it('leaves every model to ONNX Runtime if NATIVE_ENCODER is off, also those of the environment', () => {
    const off = { NATIVE_ENCODER: 'off', EMBEDDING_MODEL: builtin, RERANK_MODEL: 'acme/reranker' };
    const models = [
      ...modelsOf('models: [{model: bge-small}]', off),
      ...readConfig({ NATIVE_ENCODER: 'off' }).models,
    ];
    assert.deepEqual(
      models.map((model) => model.kind === 'onnx' && model.native),
      [false, false, false, false],
    );
  });

  it('serves by default the first model, the one marked as default, or the one that the environment names', () => {
    const two = (second: string) => `models: [{model: bge-small}, {model: ${builtin}${second}}]`;
    assert.deepEqual(namesOf(two('')), ['bge-small', builtin]);
    assert.deepEqual(namesOf(two(', default: true')), [builtin, 'bge-small']);
    assert.deepEqual(namesOf('models: [{model: bge-small, default: true}]', { EMBEDDING_MODEL: builtin }), [
      builtin,
      'bge-small',
    ]);
  });

  it('is refused with one line that names the file, the field, the error and an example', () => {
    const cases: [string, RegExp][] = [
      ['', /^embedgate\.yaml: it is not a mapping; for example models: \[/],
      ['models: []', /^embedgate\.yaml: models is not a list of one entry or more; for example/],
      [
        'model: x',
        /^embedgate\.yaml: model is not a setting; the settings are models, sign_in, prices, tiers$/,
      ],
      [
        `models: [{model: ${builtin}}]\nport: 1`,
        /^embedgate\.yaml: port is not a setting; the settings are models, sign_in, prices, tiers$/,
      ],
      ['models: [x]', /^embedgate\.yaml: models\[0\] is not a mapping; for example model: /],
      ['models: [{name: x}]', /^embedgate\.yaml: models\[0\]\.model is missing; for example model: /],
      [
        'models: [{model: ./none}]',
        /models\[0\]\.model is neither the built-in model, nor a directory, nor the id/,
      ],
      [
        `models: [{model: ${builtin}, revision: v1}]`,
        /models\[0\]\.revision applies only to models of a hub and to upstreams/,
      ],
      ['models: [{model: 1}]', /models\[0\]\.model is not a text; for example/],
      [
        `models: [{model: ${builtin}, workers: 0}]`,
        /models\[0\]\.workers is not a whole number from 1 to 256; for/,
      ],
      [`models: [{model: ${builtin}, threads: "2"}]`, /models\[0\]\.threads is not a whole number/],
      [`models: [{model: ${builtin}, languages: en}]`, /models\[0\]\.languages is not a list of texts; for/],
      [
        `models: [{model: ${builtin}, languages: [English]}]`,
        /\.languages has an entry that is not a BCP 47 code; for example languages: \[en\]/,
      ],
      [`models: [{model: ${builtin}, license: Apache 2}]`, /models\[0\]\.license is not an SPDX id; for/],
      [
        `models: [{model: ${builtin}, sunset: 2027-02-30}]`,
        /\.sunset is not a day; for example sunset: 2027/,
      ],
      [`models: [{model: ${builtin}, deprecated: 2027-02}]`, /models\[0\]\.deprecated is not a day; for/],
      [`models: [{model: ${builtin}, default: 1}]`, /models\[0\]\.default is neither true nor false; for/],
      [
        `models: [{model: ${builtin}, wrkers: 1}]`,
        /models\[0\]\.wrkers is not a setting; the settings are default, name, upstream, model,/,
      ],
      [`models: [{model: ${builtin}}, {model: ${builtin}}]`, /: models: two are named "all-MiniLM-L6-v2"/],
      [
        `models: [{model: ${builtin}, default: true}, {model: bge-small, default: true}]`,
        /: models has more than one default; for example/,
      ],
      [
        'models: [',
        /^embedgate\.yaml: is not YAML: line 1, column \d+: Flow sequence in block collection must be .* end with a \]$/,
      ],
    ];
    for (const [text, message] of cases) assert.match(refusal(text), message);
    assert.match(refusal('{"models": ', 'embedgate.json'), /^embedgate\.json: is not JSON$/);
    assert.throws(() => readConfig({ EMBEDGATE_CONFIG: '/no/such.yaml' }), {
      message: /^EMBEDGATE_CONFIG: "\/no\/such\.yaml" can't be read \(ENOENT\); for example/,
    });
  });

  it('reports what each model uses before its own files', () => {
    const yaml = `models: [{model: ${builtin}, output: vectors, pooling: cls, max_tokens: 64, query_prompt: "q: ", document_prompt: "", dtype: q8}]`;
    const [model] = modelsOf(yaml);
    assert.deepEqual(model?.kind === 'onnx' && model.overrides, {
      output: 'vectors',
      pooling: 'cls',
      maxTokens: 64,
      queryPrompt: 'q: ',
      documentPrompt: '',
      dtype: 'q8',
    });
    assert.match(
      refusal(`models: [{model: ${builtin}, pooling: avg}]`),
      /models\[0\]\.pooling is not one of mean, cls,/,
    );
    assert.match(
      refusal(`models: [{model: ${builtin}, dtype: ../x}]`),
      /models\[0\]\.dtype is not a dtype or/,
    );
    for (const name of ['EMBEDDING_POOLING', 'EMBEDDING_MODEL_ALIASES'])
      assert.throws(() => modelsOf(yaml, { [name]: 'max' }), {
        message: new RegExp(
          `^${name}: applies to the model that EMBEDDING_MODEL names, not to those in EMBEDGATE_C`,
        ),
      });
  });

  it('can have upstreams, whose key can come from a variable', () => {
    const [upstream] = modelsOf(
      `models:
  - name: docs
    query_prompt: "query: "
    upstream: {urls: ["http://10.0.0.1:8080", "http://10.0.0.2:8080/v1/"], model: bge, key_env: DOCS_KEY, max_tokens: 512}
`,
      { DOCS_KEY: 'sk-docs' },
    );
    assert.deepEqual(upstream, {
      kind: 'upstream',
      name: 'docs',
      model: 'bge',
      key: 'sk-docs',
      revision: null,
      urls: ['http://10.0.0.1:8080/v1', 'http://10.0.0.2:8080/v1/'],
      queryPrompt: 'query: ',
      documentPrompt: '',
      dimensions: null,
      encoding: 'float',
      maxTokens: 512,
      concurrency: 4,
      maxBatchTexts: 32,
      timeoutMs: 30_000,
      deadlineMs: 60_000,
      startTimeoutMs: 60_000,
      facts,
    });
    const cases: [string, RegExp][] = [
      ['{}', /models\[0\]\.upstream\.model is missing; for example model: /],
      ['x', /models\[0\]\.upstream is not a mapping; for example \{urls: /],
      ['{model: m}', /models\[0\]\.upstream\.urls is missing; for example urls: \[http/],
      ['{model: m, urls: ["ftp://host"]}', /upstream\.urls is not an http:\/\/ or https:\/\/ address/],
      ['{model: m, urls: ["http://u:sk-p@host"]}', /upstream\.urls has a user, which would not be used/],
      [
        '{model: m, urls: ["http://h"], key: a, key_env: B}',
        /upstream\.key_env is set together with key; for/,
      ],
      [
        '{model: m, urls: ["http://h"], key_env: NONE}',
        /upstream\.key_env names a variable that is not set; for/,
      ],
      [
        '{model: m, urls: ["http://h"], key_env: __proto__}',
        /upstream\.key_env names a variable that is not set; for/,
      ],
      ['{model: m, urls: ["http://h"], key_env: ""}', /upstream\.key_env is empty; for/],
      ['{model: m, urls: ["http://h"], key: ""}', /upstream\.key is empty; for/],
      [
        '{model: m, urls: ["http://h"], key: "sk-ö"}',
        /upstream\.key has characters that are not allowed in a header; for/,
      ],
      [
        '{model: m, urls: ["http://h"], timeout_ms: 0}',
        /upstream\.timeout_ms is not a whole number from 1 to/,
      ],
      [
        '{model: m, urls: ["http://h"], timeout: 1}',
        /upstream\.timeout is not a setting; the settings are model, task, urls,/,
      ],
    ];
    for (const [value, message] of cases) {
      const told = refusal(`models: [{upstream: ${value}}]`);
      assert.match(told, message);
      assert.doesNotMatch(told, /sk-[pö]/);
    }
  });
});

describe('a model for reranking', () => {
  const served = (environment: Record<string, string>) => readConfig(environment).models;

  it('is served after those for embeddings, in this process or by an upstream', () => {
    const [, onnx] = served({ RERANK_MODEL: 'Xenova/ms-marco-MiniLM-L-6-v2', RERANK_DTYPE: 'int8' });
    assert.ok(onnx?.kind === 'onnx');
    assert.deepEqual([onnx.task, onnx.place.kind, onnx.overrides.dtype], ['rerank', 'hub', 'int8']);
    const upstream = { RERANK_UPSTREAM_URL: 'http://10.0.0.1:8080', RERANK_UPSTREAM_KEY: 'k' };
    const [first, theirs] = served({ ...upstream, RERANK_MODEL: 'jina' });
    assert.ok(first?.name === builtin && theirs?.kind === 'upstream');
    assert.deepEqual(
      [theirs.name, theirs.task, theirs.urls, theirs.dimensions],
      ['jina', 'rerank', ['http://10.0.0.1:8080/v1'], 1],
    );
  });

  it('is refused with a line that names the variable', () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ RERANK_MODEL: builtin }, /^RERANK_MODEL: .* is neither a directory, nor the id of a model/],
      [{ RERANK_REVISION: 'main' }, /^RERANK_REVISION: applies only to models of a hub/],
      [{ RERANK_UPSTREAM_URL: 'http://h' }, /^RERANK_MODEL: is required with RERANK_UPSTREAM_URL/],
      [{ RERANK_DTYPE: 'int8' }, /^RERANK_MODEL: is required with RERANK_DTYPE/],
      [{ RERANK_UPSTREAM_KEY: 'k' }, /^RERANK_UPSTREAM_URL: is required with RERANK_UPSTREAM_KEY/],
      [
        { RERANK_UPSTREAM_URL: 'http://h', RERANK_MODEL: 'm', RERANK_DTYPE: 'int8' },
        /^RERANK_DTYPE: applies to models that run in this process/,
      ],
      [{ EMBEDDING_MODEL: 'a/b', RERANK_MODEL: 'a/b' }, /^RERANK_MODEL: "a\/b" is the name of another model/],
    ];
    for (const [environment, message] of cases) assert.throws(() => served(environment), { message });
  });
});

describe('an upstream in the environment', () => {
  const url = 'http://127.0.0.1:11434/v1';

  it('is identified by its addresses, its model and its key', () => {
    const [upstream] = readConfig({
      EMBEDDING_UPSTREAM_URL: `${url}, https://other.example.com`,
      EMBEDDING_UPSTREAM_KEY: 'sk-x',
      EMBEDDING_MODEL: 'nomic-embed-text',
      EMBEDDING_QUERY_PROMPT: 'search_query: ',
    }).models;
    assert.ok(upstream?.kind === 'upstream');
    assert.deepEqual(upstream.urls, [url, 'https://other.example.com/v1']);
    assert.deepEqual(
      [upstream.name, upstream.model, upstream.key],
      ['nomic-embed-text', 'nomic-embed-text', 'sk-x'],
    );
    assert.equal(upstream.queryPrompt, 'search_query: ');
  });

  it('is refused with one line where something is missing or wrong, without the key', () => {
    const cases: [Record<string, string>, RegExp][] = [
      [
        { EMBEDDING_UPSTREAM_URL: url },
        /^EMBEDDING_MODEL: is required with EMBEDDING_UPSTREAM_URL; for example/,
      ],
      [
        { EMBEDDING_UPSTREAM_KEY: 'sk-x' },
        /^EMBEDDING_UPSTREAM_URL: is required with EMBEDDING_UPSTREAM_KEY; for/,
      ],
      [
        { EMBEDDING_UPSTREAM_URL: 'http://u:sk-p@host', EMBEDDING_MODEL: 'm' },
        /^EMBEDDING_UPSTREAM_URL: has a user, which would not be used; for example EMBEDDING_UPSTREAM_URL=http/,
      ],
      [
        { EMBEDDING_UPSTREAM_URL: url, EMBEDDING_MODEL: 'm', EMBEDDING_UPSTREAM_KEY: 'sk-ö' },
        /^EMBEDDING_UPSTREAM_KEY: has characters that are not allowed in a header; for example/,
      ],
      [
        { EMBEDDING_UPSTREAM_URL: url, EMBEDDING_MODEL: 'm', EMBEDDING_DIMENSIONS: '0' },
        /^EMBEDDING_DIMENSIONS: "0" is not a whole number from 1 to 65536; for/,
      ],
    ];
    for (const [environment, message] of cases) {
      assert.throws(
        () => readConfig(environment),
        (reason) => {
          assert.ok(reason instanceof Error && reason.name === 'ConfigError');
          assert.match(reason.message, message);
          return !/sk-[xpö]/.test(reason.message);
        },
      );
    }
  });
});

it('the environment’s model can have overrides of its settings, including an empty prompt', () => {
  const [model] = readConfig({
    EMBEDDING_OUTPUT: 'vectors',
    EMBEDDING_POOLING: 'last',
    EMBEDDING_MAX_TOKENS: '64',
    EMBEDDING_DTYPE: 'q8',
    EMBEDDING_QUERY_PROMPT: 'query: ',
    EMBEDDING_DOCUMENT_PROMPT: '',
  }).models;
  assert.deepEqual(model?.kind === 'onnx' && model.overrides, {
    output: 'vectors',
    pooling: 'last',
    maxTokens: 64,
    queryPrompt: 'query: ',
    documentPrompt: '',
    dtype: 'q8',
  });
  for (const [name, value] of Object.entries({ EMBEDDING_POOLING: 'avg', EMBEDDING_DTYPE: '../q8' })) {
    assert.throws(() => readConfig({ [name]: value }), {
      message: new RegExp(`^${name}: .*; for example ${name}=`),
    });
  }
});

it('a model of a hub is identified by its id and may have a revision', () => {
  const environment = { EMBEDDING_MODEL: 'Xenova/bge-small-en-v1.5', EMBEDDING_REVISION: 'v1.0' };
  const { models, hub } = readConfig({
    ...environment,
    HF_ENDPOINT: 'https://hub.example.com/mirrors/hf/',
    HF_TOKEN: 'hf_x',
  });
  const [model] = models;
  assert.ok(model?.kind === 'onnx');
  assert.equal(model.name, 'Xenova/bge-small-en-v1.5');
  assert.deepEqual(model.place, { kind: 'hub', id: 'Xenova/bge-small-en-v1.5', revision: 'v1.0' });
  assert.deepEqual(hub, { endpoint: 'https://hub.example.com/mirrors/hf', token: 'hf_x' });
  for (const wrong of ['bge-small-en-v1.5', '/no/such/directory', './Xenova/bge', 'a/b/c']) {
    assert.throws(() => readConfig({ EMBEDDING_MODEL: wrong }), {
      message: /^EMBEDDING_MODEL: .*; for example/,
    });
  }
  assert.throws(() => readConfig({ EMBEDDING_REVISION: 'v1.0' }), {
    message: /^EMBEDDING_REVISION: applies only to models of a hub and to upstreams; for example/,
  });
});
