import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { builtinDirectory } from '../../../packages/engine-onnx/src/builtin.ts';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { postEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const builtin = 'all-MiniLM-L6-v2';

describe('several models at once', async () => {
  const directory = untilEnd(temporaryDirectory());
  // A different model by its fingerprint, although its vectors are the same.
  const other = join(directory.path, 'other');
  await cp(await builtinDirectory(), other, { recursive: true });
  await writeFile(join(other, 'sentence_bert_config.json'), '{"max_seq_length": 16}');
  await writeFile(join(other, 'README.md'), '---\nlicense: gemma\n---\n');
  await writeBertModel(join(directory.path, 'bert'), { pooling: 'mean', matryoshkaDimensions: [4, 8] });
  const card =
    '---\nlanguage:\n- en\n- zh-Hant # and others\n- multilingual\nlicense: mit\ntags: [de]\n---\n# BERT\n';
  await writeFile(join(directory.path, 'bert/README.md'), card);
  const models = [
    { name: 'first', model: builtin, workers: 1, aliases: ['text-embedding-3-small', 'of/two parts'] },
    { name: 'twin', model: builtin, workers: 1, deprecated: '2020-01-31', replacement: 'first' },
    { name: 'other', model: './other', workers: 1, languages: ['de'], sunset: '2999-12-31' },
    { name: 'bert', model: './bert', workers: 1, max_tokens: 8, document_prompt: 'search: ' },
  ];
  const file = join(directory.path, 'embedgate.json');
  await writeFile(file, JSON.stringify({ models }));
  const app = untilEnd(await listeningApp({ environment: { EMBEDGATE_CONFIG: file } }));

  const get = async (path: string) =>
    (await fetch(app.address + path, { headers: { authorization: `Bearer ${app.key}` } })).text();
  const post = async (body: object) => {
    const response = await postEmbeddings(app.address, app.key, body);
    const answer = (await response.json()) as {
      model: string;
      cached: boolean;
      data: { embedding: string }[];
      usage: { prompt_tokens: number };
      message: string;
    };
    return { status: response.status, ...answer };
  };

  it('are all listed with dimensions and limits, the default first', async () => {
    const { data } = JSON.parse(await get('/v1/models')) as {
      data: {
        id: string;
        alias_of?: string;
        dimensions: number;
        max_input_tokens: number;
        matryoshka_dimensions?: number[];
      }[];
    };
    assert.deepEqual(
      data.map(({ id, dimensions, max_input_tokens: maxTokens }) => [id, dimensions, maxTokens]),
      [
        ['first', 384, 256],
        ['text-embedding-3-small', 384, 256],
        ['of/two parts', 384, 256],
        ['twin', 384, 256],
        ['other', 384, 16],
        ['bert', 16, 8],
      ],
    );
    assert.deepEqual(
      data.map((model) => model.matryoshka_dimensions),
      [undefined, undefined, undefined, undefined, undefined, [4, 8]],
    );
    assert.deepEqual(
      data.flatMap((model) => model.alias_of ?? []),
      ['first', 'first'],
    );
  });

  it('state languages, license and lifecycle, from the settings or their own files', async () => {
    const { data } = JSON.parse(await get('/v1/models')) as {
      data: { languages: string[]; license: string; lifecycle: object }[];
    };
    const active = { status: 'active', deprecated: null, sunset: null, replacement: null };
    const first = [['en'], 'Apache-2.0', active];
    assert.deepEqual(
      data.map(({ languages, license, lifecycle }) => [languages, license, lifecycle]),
      [
        ...[first, first, first],
        [
          ['en'],
          'Apache-2.0',
          { ...active, status: 'deprecated', deprecated: '2020-01-31', replacement: 'first' },
        ],
        [['de'], 'gemma', { ...active, sunset: '2999-12-31' }],
        [['en', 'zh-Hant', 'multilingual'], 'MIT', active],
      ],
    );
  });

  it('are returned by name or alias, and unknown names get 404', async () => {
    type Model = { id: string; alias_of?: string; error?: string };
    const one = async (name: string) => JSON.parse(await get(`/v1/models/${name}`)) as Model;
    assert.deepEqual([(await one('bert')).id, (await one('bert')).alias_of], ['bert', undefined]);
    for (const path of ['of/two%20parts', 'of%2Ftwo%20parts']) {
      const { id, alias_of } = await one(path);
      assert.deepEqual([id, alias_of], ['of/two parts', 'first']);
    }
    for (const path of ['none', 'of/none', 'first/', '%00'])
      assert.equal((await one(path)).error, 'not_found');
  });

  it('can be requested by an alias, and the response has the model’s own name', async () => {
    const answer = await post({ input: 'by an alias', model: 'text-embedding-3-small' });
    assert.deepEqual([answer.status, answer.model], [200, 'first']);
    assert.equal((await post({ input: 'by an alias', model: 'first' })).cached, true);
  });

  it('can be chosen per request: the default without a name, 400 for an unknown name', async () => {
    assert.equal((await post({ input: 'pick' })).model, 'first');
    assert.equal((await post({ input: 'pick', model: 'other' })).model, 'other');
    const refused = await post({ input: 'pick', model: builtin });
    assert.equal(refused.status, 400);
    assert.equal(
      refused.message,
      `model "${builtin}" is not served here. Use "first" or "twin" or "other" or "bert", or have your operator add the name to EMBEDDING_MODEL_ALIASES (aliases in a file)`,
    );
  });

  it('each have their own dimensions', async () => {
    const answer = await post({ input: 'dimensions', model: 'bert', encoding_format: 'base64' });
    assert.equal(Buffer.from(answer.data[0]!.embedding, 'base64').byteLength, 16 * 4);
    const refused = await post({ input: 'dimensions', model: 'bert', dimensions: 17 });
    assert.deepEqual([refused.status, refused.message], [400, 'dimensions must be 1 to 16 for bert']);
    assert.equal((await post({ input: 'dimensions', dimensions: 17 })).status, 200);
  });

  it('each apply their own limit', async () => {
    const input = 'word '.repeat(50);
    assert.equal((await post({ input, model: 'other' })).usage.prompt_tokens, 16);
    assert.ok((await post({ input })).usage.prompt_tokens > 50);
    const refused = await post({ input, model: 'other', truncate: false });
    assert.match(refused.message, /^input\[0\] has more than 16 tokens; the model reads at most 16\./);
  });

  it('have separate cache entries by fingerprint, which several names of one model share', async () => {
    const input = 'kept apart';
    assert.equal((await post({ input })).cached, false);
    assert.equal((await post({ input, model: 'other' })).cached, false);
    for (const model of ['first', 'twin', 'other', 'twin', 'first']) {
      const answer = await post({ input, model, encoding_format: 'base64' });
      assert.deepEqual([answer.cached, answer.model], [true, model]);
    }
  });

  it('report their queues together in one metric', async () => {
    assert.match(await get('/metrics'), /^te_queue_size 0$/m);
  });
});
