import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listeningApp } from '../../../helpers/app.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';
import { writeBertModel } from '../../../helpers/models/write-bert-model.ts';
import { untilEnd } from '../../../helpers/until-end.ts';

describe('the input type of a request', async () => {
  const directory = untilEnd(temporaryDirectory());
  const words = ['hello', 'world', 'ask'];
  await writeBertModel(join(directory.path, 'bert'), {
    words,
    prompts: { query: 'ask ', document: '', s2s_query: 'hello ', clustering: 'world ' },
  });
  const file = join(directory.path, 'embedgate.json');
  const aliases = ['ask?input_type=query'];
  await writeFile(file, JSON.stringify({ models: [{ model: './bert', aliases }] }));
  const app = untilEnd(await listeningApp({ environment: { EMBEDGATE_CONFIG: file } }));

  const vector = async (body: object, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ input: 'hello world', ...body }),
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
    const listed = await (
      await fetch(`${app.address}/v1/models/bert`, { headers: { authorization: `Bearer ${app.key}` } })
    ).json();
    assert.deepEqual((listed as { input_types: string[] }).input_types, ['s2s_query', 'clustering', 'query']);
    const refused = await fetch(`${app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'hello', prompt_name: 's2s_querry' }),
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
