import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listeningApp } from '../../../helpers/app.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';
import { wordPieces } from '../../../helpers/models/wordpiece.ts';
import { writeBertModel } from '../../../helpers/models/write-bert-model.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { UpstreamServer } from '../../../helpers/upstream-server.ts';

interface Token {
  id: number;
  text: string;
  special: boolean;
  start: number | null;
  stop: number | null;
}

const builtin = 'all-MiniLM-L6-v2';
const words = ['hello', 'world', 'ask'];

const directory = untilEnd(temporaryDirectory());
const server = untilEnd(await new UpstreamServer().listen());
const prompts = { query: 'ask ', document: '', s2s_query: 'hello ', clustering: 'world ' };
await writeBertModel(join(directory.path, 'bert'), { words, prompts });
await writeBertModel(join(directory.path, 'lower'), { words });
await writeFile(join(directory.path, 'lower/sentence_bert_config.json'), '{"do_lower_case": true}');
const models = [
  { model: builtin },
  { model: './bert', aliases: ['ask?input_type=query'] },
  { model: './lower' },
  { upstream: { urls: [server.url], model: 'theirs', dimensions: 8 } },
];
const file = join(directory.path, 'embedgate.json');
await writeFile(file, JSON.stringify({ models }));
const app = untilEnd(
  await listeningApp({
    environment: { EMBEDGATE_CONFIG: file },
    bounds: { maxHeldBytesPerOrganization: 16 << 20 },
  }),
);
const used = async () => (await app.services.ledger.readStanding(app.orgId)).used;

describe('POST /tokenize', () => {
  const post = (body: object, key: string, path = '/tokenize') =>
    fetch(app.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const keyOf = async (defaultModel: string) => {
    const { orgId, services } = app;
    return (await services.keys.create({ orgId, userId: 'u', name: defaultModel, defaultModel })).secret;
  };
  const tokens = async (model: string, body: object): Promise<Token[][]> => {
    const response = await post(body, await keyOf(model));
    assert.equal(response.status, 200);
    return (await response.json()) as Token[][];
  };
  const refusal = async (body: object, key = app.key) => {
    const response = await post(body, key);
    const { error, error_type } = (await response.json()) as { error: string; error_type: string };
    return [response.status, error_type, error] as const;
  };

  it('returns ids, places in characters and special tokens of a WordPiece model', async () => {
    const pieces = wordPieces(512, words);
    const token = (piece: string, text: string, start: number, stop: number): Token => {
      return { id: pieces.indexOf(piece), text, special: false, start, stop };
    };
    const special = (text: string): Token => {
      return { id: pieces.indexOf(text), text, special: true, start: null, stop: null };
    };
    const own = [token('[UNK]', '😀', 0, 1), token('hello', 'Héllo', 2, 7), token('[SEP]', '[SEP]', 8, 13)];
    const inputs = ['😀 Héllo [SEP]', 'world'];
    const world = token('world', 'world', 0, 5);
    const framed = (some: Token[]) => [special('[CLS]'), ...some, special('[SEP]')];
    assert.deepEqual(await tokens('bert', { inputs, prompt_name: null }), [framed(own), framed([world])]);
    assert.deepEqual(await tokens('bert', { inputs, add_special_tokens: false }), [own, [world]]);
    const [prompted] = await tokens('bert', { inputs: 'world', prompt_name: 'query' });
    assert.deepEqual(prompted?.at(-2), { ...world, start: 4, stop: 9 });
  });

  it('has no places where the lower case of the text has other characters', async () => {
    const [moved, kept] = await tokens('lower', { inputs: ['İ world', 'HELLO'], add_special_tokens: false });
    assert.deepEqual(moved?.map(({ text, start }) => [text, start]).at(-1), ['world', null]);
    assert.deepEqual(
      kept?.map(({ text, start, stop }) => [text, start, stop]),
      [['hello', 0, 5]],
    );
  });

  it('returns as many tokens as the built-in model computes, and does not count them', async () => {
    const inputs = ['The quick brown fox 😀 jumps.', 'ﬁne  x'];
    const before = await used();
    const all = await tokens(builtin, { inputs });
    assert.equal(await used(), before);
    for (const [i, input] of inputs.entries()) {
      const own = all[i]!.filter(({ special }) => !special);
      for (const { text, start, stop } of own) {
        assert.equal([...input].slice(start!, stop!).join(''), text);
      }
      assert.equal(own.at(-1)?.stop, [...input].length);
      const embedded = await post({ input }, app.key, '/v1/embeddings');
      const { usage } = (await embedded.json()) as { usage: { prompt_tokens: number } };
      assert.equal(all[i]?.length, usage.prompt_tokens);
    }
  });

  it('returns all tokens of texts over the model’s limit', async () => {
    const input = 'word '.repeat(13_000);
    const [long, short] = await tokens(builtin, { inputs: [input, 'x'] });
    assert.ok(long!.length >= 13_000);
    assert.ok(long!.at(-2)!.stop! >= input.trimEnd().length);
    assert.equal(short?.[1]?.stop, 1);
  });

  it('refuses what it can’t tokenize by its name', async () => {
    const inputs = 'x'.repeat(65_537);
    const tooLong =
      'A text can have at most 65536 UTF-16 code units to be tokenized, with the prompt and with ligatures as their letters';
    assert.deepEqual(await refusal({ inputs }), [422, 'Validation', tooLong]);
    assert.deepEqual(await refusal({ inputs: 'ﷺ'.repeat(3_641) }), [422, 'Validation', tooLong]);
    const none = await refusal({ inputs: 'one' }, await keyOf('theirs'));
    assert.deepEqual(none, [404, 'Validation', 'theirs has no tokenizer here']);
    assert.equal((await refusal({ inputs: [] }))[0], 422);
    assert.equal((await refusal({ inputs: new Array(2_049).fill('x') }))[0], 422);
    assert.match((await refusal({ inputs: 'x', prompt_name: 'image' }))[2], /prompt_name must be/);
    assert.equal((await post({ inputs: 'x' }, 'eg_wrong')).status, 401);
    // A character has 60 times its own size as a token.
    const [status, type] = await refusal({ inputs: new Array(32).fill('. '.repeat(16_384)) });
    assert.deepEqual([status, type], [429, 'Overloaded']);
  });

  it('returns ids, pieces, offsets, count and whether a text fits at /v1/tokenize', async () => {
    const before = await used();
    const pieces = wordPieces(512, words);
    const id = (piece: string) => pieces.indexOf(piece);
    const body = { input: ['hello', 'hello '.repeat(600)], model: 'bert' };
    const response = await post(body, app.key, '/v1/tokenize');
    const { fingerprint, maxTokens } = app.services.models.get('bert')!.served.model;
    const { data, ...rest } = (await response.json()) as { data: { count: number; fits: boolean }[] };
    assert.deepEqual(rest, { object: 'list', model: 'bert', fingerprint, max_input_tokens: maxTokens });
    assert.deepEqual(data[0], {
      ids: [id('[CLS]'), id('hello'), id('[SEP]')],
      pieces: ['[CLS]', 'hello', '[SEP]'],
      offsets: [null, [0, 5], null],
      count: 3,
      fits: true,
    });
    assert.deepEqual([data[1]?.count, data[1]?.fits], [602, false]);
    const fits = async (words: number, special: boolean) => {
      const body = { input: 'hello '.repeat(words), model: 'bert', add_special_tokens: special };
      const response = await post(body, app.key, '/v1/tokenize');
      return ((await response.json()) as { data: { fits: boolean }[] }).data[0]!.fits;
    };
    assert.deepEqual(await Promise.all([62, 63].map((words) => fits(words, true))), [true, false]);
    assert.deepEqual(await Promise.all([62, 63].map((words) => fits(words, false))), [true, false]);
    assert.equal(await used(), before, 'none of them is counted');
    assert.equal((await post({ input: '' }, app.key, '/v1/tokenize')).status, 400);
    assert.equal((await post({ input: 'x', model: 'theirs' }, app.key, '/v1/tokenize')).status, 404);
  });

  it('returns vLLM’s shape for a prompt', async () => {
    const prompt = { prompt: 'hello world', model: 'bert' };
    const pieces = wordPieces(512, words);
    const tokens = ['[CLS]', 'hello', 'world', '[SEP]'];
    const ids = tokens.map((piece) => pieces.indexOf(piece));
    const answer = async (body: object) => (await post({ ...prompt, ...body }, app.key)).json();
    const whole = { count: 4, max_model_len: 64, tokens: ids, token_strs: null };
    assert.deepEqual(await answer({}), whole);
    assert.deepEqual(await answer({ add_special_tokens: false, return_token_strs: true }), {
      count: 2,
      max_model_len: 64,
      tokens: ids.slice(1, -1),
      token_strs: tokens.slice(1, -1),
    });
  });
});

describe('the input type of a request', async () => {
  const vector = async (body: object, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ input: 'hello world', model: 'bert', ...body }),
    });
    assert.equal(response.status, 200);
    return String(((await response.json()) as { data: { embedding: number[] }[] }).data[0]?.embedding);
  };
  const [query, document] = [await vector({ input_type: 'query' }), await vector({ input_type: 'document' })];

  it('is what a word of any API means, in each of its fields', async () => {
    assert.notEqual(query, document);
    for (const word of ['search_query', 'RETRIEVAL_QUERY', 'retrieval.query', 'question_answering'])
      assert.equal(await vector({ input_type: word }), query, word);
    for (const word of ['passage', 'search_document', 'RETRIEVAL_DOCUMENT', 'corpus'])
      assert.equal(await vector({ input_type: word }), document, word);
    assert.equal(await vector({ prompt_name: 'query' }), query);
    assert.equal(await vector({ task: 'retrieval.query' }), query);
  });

  it('is a prompt of the model’s file by its own name, which the list of models has', async () => {
    const [s2s, clustering] = [
      await vector({ prompt_name: 's2s_query' }),
      await vector({ input_type: 'clustering' }),
    ];
    assert.equal(new Set([query, document, s2s, clustering]).size, 4);
    assert.equal(s2s, await vector({ input: 'hello hello world' }));
    assert.equal(s2s, await vector({ prompt_name: 'S2S_Query' }));
    const listed = await (
      await fetch(`${app.address}/v1/models/bert`, { headers: { authorization: `Bearer ${app.key}` } })
    ).json();
    assert.deepEqual((listed as { input_types: string[] }).input_types, ['s2s_query', 'clustering', 'query']);
    const refused = await fetch(`${app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'hello', model: 'bert', prompt_name: 's2s_querry' }),
    });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /prompt_name must be .*, or a prompt of the model: s2s_query"/);
  });

  it('is that of the field, then of the alias, then of the header, and otherwise document', async () => {
    const header = { 'x-input-type': 'query' };
    assert.equal(await vector({}), document);
    assert.equal(await vector({}, header), query);
    assert.equal(await vector({ model: 'ask' }, { 'x-input-type': 'document' }), query);
    assert.equal(await vector({ model: 'ask', input_type: 'passage' }), document);
    assert.equal(await vector({ input_type: 'passage' }, header), document);
  });
});
