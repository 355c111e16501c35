import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchClient, type Json, jsonl, line } from '../../../helpers/batch-client.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { dialectApp, model } from './dialect-app.ts';

const service = untilEnd(await dialectApp());

/** Returns the first numbers that /v1 returns for a text. */
const expected = async (input: string, dimensions: number) =>
  (await service.ask<{ data: { embedding: number[] }[] }>(200, '/v1/embeddings', { input, dimensions }))
    .data[0]!.embedding;

/** Asserts that two vectors are equal in float32. */
const same = (actual: readonly number[] | undefined, wanted: readonly number[]) =>
  assert.deepEqual(Float32Array.from(actual ?? []), Float32Array.from(wanted));

type Failure = { error: { message: string; type: string; param: string | null; code: string } };

describe('OpenAI’s dialect', () => {
  const fails = async (status: number, path: string, body: unknown, headers = {}) =>
    (await service.ask<Failure>(status, path, body, headers)).error;

  it('embeds texts and lists models below /openai/v1, with Azure’s header for the key too', async () => {
    const headers = { authorization: '', 'api-key': service.app.key };
    const { data } = await service.ask<{ data: { embedding: number[] }[] }>(200, '/openai/v1/embeddings', {
      input: 'a text',
      model,
      dimensions: 4,
    });
    assert.equal(data[0]?.embedding.length, 4);
    const azure = '/openai/deployments/ask/embeddings?api-version=2024-10-21';
    const answer = await fetch(service.app.address + azure, {
      method: 'POST',
      headers: { 'api-key': service.app.key, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'a text' }),
    });
    assert.equal(
      ((await answer.json()) as { data: { embedding: number[] }[] }).data[0]?.embedding.length,
      64,
    );
    const models = await fetch(`${service.app.address}/openai/v1/models`, {
      headers: { 'api-key': headers['api-key'] },
    });
    const listed = (await models.json()) as { data: { id: string }[] };
    assert.ok(listed.data.some(({ id }) => id === 'text-embedding-3-small'));
    assert.equal((await service.ask<{ id: string }>(200, `/openai/v1/models/${model}`)).id, model);
  });

  it('reports an unknown model as 404 model_not_found, which /v1 reports as 400', async () => {
    const body = { input: 'a text', model: 'nobody' };
    const { code, param, message } = await fails(404, '/openai/v1/embeddings', body);
    assert.deepEqual([code, param], ['model_not_found', 'model']);
    assert.match(message, new RegExp(`Use "${model}", or have your operator`));
    assert.equal((await fails(404, '/openai/v1/models/nobody', undefined)).code, 'model_not_found');
    assert.equal((await fails(404, '/openai/v1/nothing', {})).code, 'not_found');
    assert.match((await fails(404, '/openai/v1/responses', {})).message, /serves embeddings, no chat$/);
    const ranked = await fails(404, '/openai/v1/rerank', { query: 'q', documents: ['d'] });
    assert.match(ranked.message, /^No model here can rerank/);
    assert.equal(
      (await service.ask<{ error: string }>(400, '/v1/embeddings', body)).error,
      'invalid_request',
    );
  });

  it('tells a window that ends soon from a month that is used up', async () => {
    for (const [window, type, code] of [
      ['minute', 'requests', 'rate_limit_exceeded'],
      ['month', 'insufficient_quota', 'insufficient_quota'],
    ] as const) {
      const end = await service.useUp(window);
      const error = await fails(429, '/openai/v1/embeddings', { input: `new in a ${window}`, model });
      assert.deepEqual([error.type, error.code], [type, code]);
      await end();
    }
    const limit = { keyId: null, unit: 'tokens', window: 'minute', amount: 7 } as const;
    const { limitId } = await service.app.services.limits.add(service.app.orgId, limit);
    const granted = await service.send('/openai/v1/embeddings', {
      input: 'many more words than that',
      model,
    });
    assert.equal(granted.headers.get('x-ratelimit-limit-tokens'), '7');
    assert.equal(granted.headers.get('x-ratelimit-remaining-tokens'), '0');
    assert.match(granted.headers.get('x-ratelimit-reset-tokens') ?? '', /^1m0s$|^[1-5]?\ds$/);
    const error = await fails(429, '/openai/v1/embeddings', { input: 'new', model });
    assert.deepEqual([error.type, error.code], ['tokens', 'rate_limit_exceeded']);
    await service.app.services.limits.remove(service.app.orgId, limitId);
  });

  it('has files, batches and models for Azure’s clients, with and without /v1', async () => {
    for (const base of ['/openai', '/openai/v1']) {
      const client = batchClient(service.app, base, { 'api-key': service.app.key });
      const { id } = (await client.upload(jsonl([line('a', { input: 'a' })]))).json;
      assert.equal((await client.send('GET', `/files/${id}`)).json.id, id);
      const asked = { input_file_id: id, endpoint: '/v1/embeddings', completion_window: '24h' };
      const { json: batch } = await client.send('POST', '/batches', asked);
      assert.equal((await client.send('GET', `/batches/${batch.id}`)).json.input_file_id, id);
      assert.equal((await client.send('GET', '/models')).json.object, 'list');
    }
  });

  it('states the quota as OpenAI does, beside the headers of /v1', async () => {
    const { organizations } = service.app.services;
    await organizations.setTier(service.app.orgId, 'free', null);
    const { headers } = await service.send('/openai/v1/embeddings', { input: 'a text', model });
    assert.equal(headers.get('x-ratelimit-limit-requests'), '10000');
    assert.equal(headers.get('x-ratelimit-remaining-requests'), headers.get('x-ratelimit-remaining'));
    assert.match(headers.get('x-ratelimit-reset-requests') ?? '', /^\d+h\d+m\d+s$/);
    assert.equal(
      (await service.send('/v1/usage', undefined)).headers.get('x-ratelimit-limit-requests'),
      null,
    );
    const refused = await fetch(`${service.app.address}/openai/v1/models`);
    assert.equal(((await refused.json()) as Failure).error.code, 'invalid_api_key');
  });
});

describe('TEI’s dialect', () => {
  it('returns the vectors of /v1 as plain arrays, at /embed and at /', async () => {
    const wanted = await expected('one', 8);
    for (const path of ['/embed', '/']) {
      const [vector, second] = await service.ask<number[][]>(200, path, {
        inputs: ['one', 'two'],
        dimensions: 8,
      });
      same(vector, wanted);
      assert.equal(second?.length, 8);
    }
    const body = { inputs: 'one', truncate: null, prompt_name: 'passage', normalize: true, dimensions: 8 };
    same((await service.ask<number[][]>(200, '/embed', body))[0], wanted);
  });

  it('writes numbers as /v1 does, with the digits of float32, however many vectors there are', async () => {
    const inputs = Array.from({ length: 70 }, (_, i) => `text ${i}`);
    const { data } = await service.ask<{ data: { embedding: number[] }[] }>(200, '/v1/embeddings', {
      input: inputs,
    });
    const vectors = await service.ask<number[][]>(200, '/embed', { inputs });
    assert.deepEqual(
      vectors,
      data.map(({ embedding }) => embedding),
    );
  });

  it('refuses what is not served here by its name, with TEI’s kinds of errors', async () => {
    const refused: readonly (readonly [number, string, object, RegExp])[] = [
      [422, '/embed', { inputs: '' }, /^inputs must not be empty/],
      [422, '/embed', { inputs: ['one', ''] }, /^inputs\[1\] must not be empty/],
      [422, '/embed', { inputs: ['one'], normalize: false }, /normalize must be true/],
      [
        422,
        '/embed',
        { inputs: ['one'], truncation_direction: 'Left' },
        /truncation_direction must be "right"/,
      ],
      [422, '/embed', { inputs: 'word '.repeat(300), truncate: false }, /the model reads at most 256/],
      [404, '/embed_all', { inputs: 'one' }, /\/embed_all is not served here/],
    ];
    for (const [status, path, body, message] of refused) {
      const failure = await service.ask<{ error: string; error_type: string }>(status, path, body);
      assert.match(failure.error, message);
      assert.equal(failure.error_type, 'Validation');
    }
    const end = await service.useUp('month');
    const over = await service.ask<{ error_type: string }>(429, '/embed', { inputs: 'a new text' });
    assert.equal(over.error_type, 'Overloaded');
    await end();
  });

  it('states the limits at /info without a key', async () => {
    const response = await fetch(`${service.app.address}/info`);
    const { model_id, max_input_length } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([model_id, max_input_length], [model, 256]);
  });
});

describe('Cohere’s dialect', () => {
  type Answer = {
    embeddings: { float?: number[][]; base64?: string[] };
    texts: string[];
    meta: { billed_units: object };
  };

  it('returns the types that are asked for, at the root and below /cohere', async () => {
    const wanted = await expected('one', 8);
    const body = { model, input_type: 'search_document', texts: ['one'], output_dimension: 8 };
    const { embeddings, texts, meta } = await service.ask<Answer>(200, '/v2/embed', body);
    same(embeddings.float?.[0], wanted);
    assert.deepEqual([texts, meta.billed_units], [['one'], { input_tokens: 0 }]);
    const inputs = [{ content: [{ type: 'text', text: 'one' }] }];
    const both = { ...body, texts: null, inputs, embedding_types: ['float', 'base64'], truncate: 'END' };
    const second = await service.ask<Answer>(200, '/cohere/v2/embed', both);
    const bytes = Buffer.from(second.embeddings.base64![0]!, 'base64');
    same(Array.from(new Float32Array(Uint8Array.from(bytes).buffer)), wanted);
    same(second.embeddings.float?.[0], wanted);
  });

  it('has numbers in its first version, or types that the request names', async () => {
    const ask = (status: number, path: string, body: object) => service.ask<Json>(status, path, body);
    for (const base of ['/v1', '/cohere/v1']) {
      const body = await ask(200, `${base}/embed`, { texts: ['a', 'b'], input_type: 'classification' });
      assert.deepEqual([body.response_type, body.meta.api_version.version], ['embeddings_floats', '1']);
      assert.deepEqual([body.embeddings.length, body.embeddings[0].length, body.texts], [2, 384, ['a', 'b']]);
      const typed = await ask(200, `${base}/embed`, {
        texts: ['a'],
        embedding_types: ['int8'],
        input_type: 'clustering',
      });
      assert.deepEqual(
        [typed.response_type, Object.keys(typed.embeddings)],
        ['embeddings_by_type', ['int8']],
      );
      const refused = await ask(404, `${base}/embed`, { texts: ['a'], model: 'unknown' });
      assert.deepEqual(Object.keys(refused), ['message']);
    }
  });

  it('has a message for what is not served here', async () => {
    const body = { model, input_type: 'search_query', texts: ['one'] };
    for (const [status, change, message] of [
      [404, { model: 'nobody' }, /is not served here/],
      [400, { input_type: 'image' }, /input_type must be/],
      [400, { embedding_types: ['int4'] }, /embedding_types must be/],
      [400, { truncate: 'START' }, /truncate must not be "START"/],
      [400, { texts: ['one', ''] }, /^texts\[1\] must not be empty/],
      [400, { texts: [] }, /texts must have at least one text/],
      [400, { images: ['data:'] }, /images can’t be embedded/],
    ] as const) {
      const failure = await service.ask<{ message: string }>(status, '/v2/embed', { ...body, ...change });
      assert.match(failure.message, message);
    }
  });
});

describe('Ollama’s dialect', () => {
  it('embeds by both routes, with a tag behind the name and any size', async () => {
    const wanted = await expected('one', 8);
    const embedded = await service.ask<{ model: string; embeddings: number[][]; prompt_eval_count: number }>(
      200,
      '/api/embed',
      { model: `${model}:latest`, input: ['one'], dimensions: 8 },
    );
    assert.equal(embedded.model, `${model}:latest`);
    same(embedded.embeddings[0], wanted);
    assert.ok(embedded.prompt_eval_count > 0);
    const legacy = await service.ask<{ embedding: number[] }>(200, '/api/embeddings', {
      model: 'text-embedding-3-small',
      prompt: 'one',
    });
    assert.equal(legacy.embedding.length, 384);
    // What `curl -d` states, as in Ollama's own examples.
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const plain = await service.ask<typeof embedded>(200, '/api/embed', { model, input: 'one' }, form);
    assert.equal(plain.embeddings.length, 1);
    const large = { model, input: 'one', dimensions: 4_096 };
    assert.equal((await service.ask<typeof embedded>(200, '/api/embed', large)).embeddings[0]?.length, 384);
  });

  it('answers clients that only load or list models', async () => {
    assert.deepEqual(await service.ask(200, '/api/embed', { model }), { model, embeddings: [] });
    assert.deepEqual(await service.ask(404, '/api/embed', { model: 'other' }), {
      error: `model 'other' not found. Use "${model}", or have your operator add the name to EMBEDDING_MODEL_ALIASES (aliases in a file)`,
    });
    const tags = await service.ask<{ models: { name: string }[] }>(200, '/api/tags');
    assert.deepEqual(
      tags.models.slice(0, 2).map(({ name }) => name),
      [model, 'text-embedding-3-small'],
    );
    const { capabilities } = await service.ask<{ capabilities: string[] }>(200, '/api/show', { model });
    assert.deepEqual(capabilities, ['embedding']);
    const version = await fetch(`${service.app.address}/api/version`);
    assert.deepEqual(await version.json(), { version: service.app.services.version });
  });

  it('words errors as its clients expect them', async () => {
    for (const [status, body, message] of [
      [404, { model: 'nobody', input: 'one' }, /^model 'nobody' not found/],
      [
        400,
        { model, input: 'word '.repeat(300), truncate: false },
        /^the input length exceeds the context length/,
      ],
      [400, { model, input: 5 }, /^input /],
    ] as const) {
      assert.match((await service.ask<{ error: string }>(status, '/api/embed', body)).error, message);
    }
    const refused = await fetch(`${service.app.address}/api/tags`);
    assert.deepEqual(await refused.json(), { error: 'Invalid API key' });
  });
});

it('embeds below /voyage as /v1 does, and states errors in detail for Voyage’s SDKs', async () => {
  const body = { input: ['one'], model, output_dimension: 8 };
  const { data } = await service.ask<{ data: { embedding: number[] }[] }>(200, '/voyage/v1/embeddings', body);
  same(data[0]?.embedding, await expected('one', 8));
  const failure = await service.ask<object>(401, '/voyage/v1/embeddings', body, { authorization: '' });
  const message = 'Invalid API key';
  assert.deepEqual(failure, { error: 'invalid_api_key', message, detail: message });
});

it('every dialect shares the cache and the quota, and counts a refused request in neither', async () => {
  const before = await service.used();
  await service.ask(200, '/embed', { inputs: 'shared by all' });
  await service.ask(200, '/api/embed', { model, input: 'shared by all' });
  await service.ask(200, '/v2/embed', { model, texts: ['shared by all'] });
  await service.ask(404, '/v2/embed', { model: 'nobody', texts: ['never'] });
  assert.equal((await service.used()) - before, 1);
});
