import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { dialectApp } from './dialects/dialect-app.ts';

type Answer = { data: { embedding: number[] | string }[]; usage: { prompt_tokens: number } };

describe('what clients send', () => {
  let service: Awaited<ReturnType<typeof dialectApp>>;
  before(async () => {
    service = await dialectApp();
  });
  after(() => service[Symbol.asyncDispose]());

  const embed = (body: object, headers = {}) => service.ask<Answer>(200, '/v1/embeddings', body, headers);
  const refused = async (body: object, headers = {}) =>
    (await service.ask<{ message: string }>(400, '/v1/embeddings', body, headers)).message;

  it('null counts as absent in every optional field, but not as a text', async () => {
    const nulls = {
      model: null,
      encoding_format: null,
      dimensions: null,
      user: null,
      input_type: null,
      truncate: null,
    };
    assert.equal((await embed({ input: 'one', ...nulls, task: null })).data[0]?.embedding.length, 512);
    assert.match(await refused({ input: null }), /^input must be/);
  });

  it('the fields and words of other APIs mean the same', async () => {
    const wanted = (await embed({ input: 'one', dimensions: 8 })).data;
    for (const same of [
      { input_type: 'passage', truncate: 'END', dimensions: 8 },
      { input_type: 'RETRIEVAL_DOCUMENT', output_dimension: 8, output_dtype: 'float', truncation: true },
      { task: 'retrieval.passage', embedding_type: ['float'], dimensions: 8 },
      { prompt_name: 'document', truncate: 'NONE', dimensions: 8 },
    ])
      assert.deepEqual((await embed({ input: 'one', ...same })).data, wanted);
    assert.deepEqual((await embed({ input: [{ text: 'one' }], dimensions: 8 })).data, wanted);
    assert.equal(
      typeof (await embed({ input: 'one', embedding_type: 'base64' })).data[0]?.embedding,
      'string',
    );
  });

  it('a value without a meaning here is refused with the field and what it accepts', async () => {
    for (const [body, message] of [
      [{ input_type: 'banana' }, /^input_type must be "query" or "document", or one of their synonyms/],
      [{ task: 'melon' }, /^task must be "query"/],
      [{ truncate: 'START' }, /^truncate must not be "START"/],
      [{ truncate: 'half' }, /^truncate must be true or false, "END" or "NONE"$/],
      [{ late_chunking: true }, /^late_chunking must be false/],
      [{ normalized: false }, /^normalized must be true/],
      [{ output_dtype: 'int4' }, /^output_dtype must be one of float, int8, uint8, binary, ubinary$/],
      [{ embedding_type: ['float', 'base64'] }, /^embedding_type must be one of float, int8, .*base64$/],
    ] as const)
      assert.match(await refused({ input: 'one', ...body }), message);
    assert.match(await refused({ input: 'one' }, { 'x-input-type': 'banana' }), /^X-Input-Type must be/);
  });

  it('a model’s alias fixes dimensions, unless the request has its own', async () => {
    assert.equal((await embed({ input: 'one', model: 'ask' })).data[0]?.embedding.length, 64);
    assert.equal((await embed({ input: 'one', model: 'ask', dimensions: 16 })).data[0]?.embedding.length, 16);
  });

  it('a key’s default model serves requests that name none', async () => {
    const { keys } = service.app.services;
    const { orgId } = service.app;
    const { secret, key } = await keys.create({ orgId, userId: 'u', name: 'k', defaultModel: 'ask' });
    const headers = { authorization: `Bearer ${secret}` };
    assert.equal((await embed({ input: 'one' }, headers)).data[0]?.embedding.length, 64);
    assert.equal(
      (await embed({ input: 'one', model: 'text-embedding-3-small' }, headers)).data[0]?.embedding.length,
      512,
    );
    const rotated = await keys.rotate(key.keyId, 0);
    const successor = { authorization: `Bearer ${rotated.secret}` };
    assert.equal((await service.ask<number[][]>(200, '/embed', { inputs: 'one' }, successor))[0]?.length, 64);
  });

  it('token ids are decoded, and counted as the model’s own tokens', async () => {
    // "hello world" and "hello" in cl100k_base.
    const { data, usage } = await embed({ input: [[15339, 1917], [15339]] });
    const texts = await embed({ input: ['hello world', 'hello'] });
    assert.deepEqual(data, texts.data);
    assert.deepEqual(usage, texts.usage);
    assert.deepEqual((await embed({ input: [15339, 1917] })).data[0], texts.data[0]);
    for (const input of [[[100_257]], [[9_999_999]], [100_300]])
      assert.match(await refused({ input }), /pass check_embedding_ctx_length=False$/);
    assert.match(await refused({ input: [15339, 'hello'] }), /^input must be a list of token ids$/);
    assert.match(await refused({ input: [[15339], []] }), /^input\[1\] must not be empty$/);
  });

  it('1,000 texts of 300 token ids fit into a request', async () => {
    // All the same, because only their number and size matter here.
    const ids = Array.from({ length: 1_000 }, () => Array.from({ length: 300 }, (_, i) => 1_000 + i));
    assert.equal((await embed({ input: ids, dimensions: 1 })).data.length, 1_000);
  });

  it('bodies may be compressed, and are bounded by their size before', async () => {
    const ofOrganization = `/v1/organizations/${service.app.orgId}/embeddings`;
    const send = (body: Buffer, encoding: string, path = '/v1/embeddings') =>
      fetch(service.app.address + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.app.key}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        body: new Uint8Array(body),
      });
    const body = Buffer.from(JSON.stringify({ input: 'one' }));
    for (const [encoding, compress] of Object.entries({
      gzip: zlib.gzip,
      deflate: zlib.deflate,
      br: zlib.brotliCompress,
      zstd: zlib.zstdCompress,
    })) {
      const compressed = await promisify<Buffer, Buffer>(compress)(body);
      assert.equal((await send(compressed, encoding.toUpperCase())).status, 200, encoding);
      const { status, headers } = await send(compressed, encoding, ofOrganization);
      assert.equal(status, 200, encoding);
      // Vectors hardly shrink, so they are sent as they are.
      assert.equal(headers.get('content-encoding'), null);
      assert.equal((await send(body, encoding)).status, 400, encoding);
    }
    const bomb = await promisify<Buffer, Buffer>(zlib.gzip)(Buffer.alloc((4 << 20) + 1, ' '));
    assert.ok(bomb.length < 10_000);
    assert.equal((await send(bomb, 'gzip')).status, 413);
    for (const encoding of ['lzma', 'gzip, br', '__proto__'])
      assert.equal((await send(body, encoding)).status, 415, encoding);
  });
});
