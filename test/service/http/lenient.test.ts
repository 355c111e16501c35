import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import fc from 'fast-check';
import type { Json } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { dialectApp } from './dialects/dialect-app.ts';

interface Answer {
  readonly data: readonly { readonly embedding: readonly number[] | string }[];
  readonly usage: { readonly prompt_tokens: number };
  readonly truncated: readonly number[];
  readonly cached: boolean;
}

const service = untilEnd(await dialectApp());

describe('what clients send', () => {
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
    assert.equal((await embed({ input: 'one', ...nulls, task: null })).data[0]?.embedding.length, 384);
    assert.match(await refused({ input: null }), /^input must be/);
  });

  it('the fields and words of other APIs mean the same', async () => {
    const wanted = (await embed({ input: 'one', dimensions: 8 })).data;
    for (const same of [
      { input_type: 'passage', truncate: 'END', dimensions: 8 },
      { input_type: 'RETRIEVAL_DOCUMENT', output_dimension: 8, output_dtype: 'float', truncation: true },
      { task: 'retrieval.passage', embedding_type: ['float'], dimensions: 8 },
      { prompt_name: 'document', truncate: 'NONE', dimensions: 8 },
      ...['classification', 'CLUSTERING', 'SEMANTIC_SIMILARITY', 'text-matching', 'separation'].map(
        (task) => {
          return { task, dimensions: 8 };
        },
      ),
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

  const ask = (status: number, path: string, body: object) => service.ask<Json>(status, path, body);

  /** Sends a request without Content-Type, which fetch always adds, and returns the status. */
  const sendUntyped = async (path: string, body: object, headers: readonly string[]): Promise<number> => {
    const text = JSON.stringify(body);
    const length = `Content-Length: ${text.length}`;
    const head = [`POST ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, length];
    return Number((await rawExchange(service.app.port, `${head.join('\r\n')}\r\n\r\n${text}`)).slice(9, 12));
  };

  it('a body without Content-Type is JSON, and one of another type gets 415', async () => {
    const key = `Authorization: Bearer ${service.app.key}`;
    const bodies: Record<string, object> = {
      '/v1/embeddings': { input: 'a' },
      '/voyage/v1/embeddings': { input: 'a' },
      '/v2/embed': { texts: ['a'] },
      '/embed': { inputs: 'a' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      assert.equal(await sendUntyped(path, body, [key]), 200, path);
      const typed = [key, 'Content-Type: text/plain'];
      assert.equal(await sendUntyped(path, body, typed), 415, path);
    }
    const page = await new Browser(service.app.address).signIn(service.app.administrator);
    const session = [`Cookie: ${page.cookie}`, `Origin: http://a`];
    const path = `/v1/organizations/${service.app.orgId}/keys`;
    assert.equal(await sendUntyped(path, { name: 'untyped' }, session), 201);
  });

  it('a field whose name has one wrong letter gets 400 with both names, and any other unknown field is ignored', async () => {
    const wrong: [string, object, string][] = [
      ['/v1/embeddings', { input: 'a', dimension: 20 }, 'dimension is not known: did you mean dimensions?'],
      [
        '/v1/embeddings',
        { input: 'a', input_tpye: 'query' },
        'input_tpye is not known: did you mean input_type?',
      ],
      [
        '/v1/embeddings',
        { input: 'a', encodingFormat: 'base64' },
        'encodingFormat is not known: did you mean encoding_format?',
      ],
      ['/v1/rerank', { query: 'a', documents: ['a'], topn: 1 }, 'topn is not known: did you mean top_n?'],
      ['/v1/rerank', { 'que\x7fry': 'a' }, 'que\ufffdry is not known: did you mean query?'],
      ['/v1/tokenize', { imput: 'a' }, 'imput is not known: did you mean input?'],
      ['/v1/batches', { endpoints: '/v1/embeddings' }, 'endpoints is not known: did you mean endpoint?'],
    ];
    for (const [path, body, message] of wrong) {
      assert.equal((await ask(400, path, body)).message, message);
    }
    for (const more of [{ priority: 1 }, { encoding: 'float' }, { inputs: ['b'] }, { normalize: true }])
      await embed({ input: 'a', ...more });
  });

  it('a path with another base URL gets 404 that names the route', async () => {
    for (const path of [
      '/embeddings',
      '/v1/v1/embeddings',
      '/v1/embeddings/',
      '//v1/embeddings',
      '/v1/v1/v1/embeddings/',
    ]) {
      assert.match(
        (await ask(404, path, { input: 'a' })).message,
        /\. The route is \/v1\/embeddings: check the base URL of the client$/,
        path,
      );
    }
    for (const path of ['/v1/models/', '/v1/organizations/', '/v1/files/?limit=1', '/openai/v1/files/']) {
      const refusal = JSON.stringify(await service.ask<object>(404, path));
      assert.match(
        refusal,
        /The route is (\/openai)?\/v1\/(models|organizations|files): check the base URL/,
        path,
      );
    }
    const openais = (await ask(404, '/openai/embeddings', { input: 'a' })).error.message;
    assert.match(openais, /The route is \/openai\/v1\/embeddings/);
    const ollamas = (await ask(404, '/api/v1/embeddings', { input: 'a' })).error;
    assert.match(String(ollamas), /The route is \/v1\/embeddings/);
    assert.match((await ask(404, '/nothing', {})).message, /^No route POST \/nothing$/);
    const path = '/v1/organizations//audit-log';
    const { message } = await service.ask<{ message: string }>(404, path);
    assert.equal(message, `No route GET ${path}`);
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
      384,
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

type Type = 'float' | 'int8' | 'uint8' | 'binary' | 'ubinary';

const types: readonly Type[] = ['float', 'int8', 'uint8', 'binary', 'ubinary'];
const long = 'the quick brown fox '.repeat(80);
const texts = ['one', 'two words', 'ein dritter Text', long, `${long} and more`];

describe('types of numbers', async () => {
  const embed = (body: object, headers: Record<string, string> = {}) =>
    service.ask<Answer>(200, '/v1/embeddings', body, headers);
  /** Each text alone, computed from scratch. */
  const vectors = new Map<string, readonly number[]>();
  for (const input of texts) {
    const { data } = await embed({ input }, { 'cache-control': 'no-store, no-cache' });
    vectors.set(input, data[0]!.embedding as number[]);
  }

  /** What a response must have, by the definitions of Cohere and Voyage, and the calibration of docs/vectors.md. */
  const expected = (text: string, type: Type, dimensions: number): number[] => {
    const whole = vectors.get(text)!.slice(0, dimensions);
    const norm = dimensions === 384 ? 1 : Math.hypot(...whole);
    const unit = whole.map((value) => value / norm);
    if (type === 'float') return unit;
    if (type === 'int8' || type === 'uint8') {
      const scaled = unit.map((value) => Math.round((value * 127 * Math.sqrt(dimensions)) / 8));
      return scaled.map((value) => Math.min(127, Math.max(-128, value)) + (type === 'uint8' ? 128 : 0));
    }
    const bits = unit.map((value) => (value >= 0 ? '1' : '0')).join('');
    const bytes = bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
    return bytes.map((byte) => byte - (type === 'binary' ? 128 : 0));
  };
  const decoded = (text: string, type: Type): number[] => {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
    if (type === 'float') return [...new Float32Array(bytes.buffer)];
    return [...(type === 'int8' || type === 'binary' ? new Int8Array(bytes.buffer) : bytes)];
  };
  const assertNear = (actual: readonly number[], wanted: readonly number[], type: Type): void => {
    assert.equal(actual.length, wanted.length);
    // A text in a batch differs by up to 4e-8 from the same text alone, which can move a rounded number by one.
    const tolerance = type === 'float' ? 1e-6 : type === 'int8' || type === 'uint8' ? 1 : 0;
    const worst = Math.max(...actual.map((value, i) => Math.abs(value - wanted[i]!)));
    assert.ok(worst <= tolerance, `${type}: ${worst}`);
  };

  it('any mixture of types, sizes, encodings, truncation and cache control equals computing from scratch', async () => {
    const asked = fc.record({
      input: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 4 }),
      type: fc.constantFrom(...types),
      dimensions: fc.constantFrom(8, 16, 64, 120, 256, 384),
      isBase64: fc.boolean(),
      truncate: fc.boolean(),
      control: fc.constantFrom('', 'no-store', 'no-cache', 'no-cache, no-store'),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ input, type, dimensions, isBase64, truncate, control }) => {
        const body = {
          input,
          dimensions,
          output_dtype: type,
          truncate,
          encoding_format: isBase64 ? 'base64' : 'float',
        };
        const isCut = input.map((text) => text.length > 1_000);
        const headers: Record<string, string> = control ? { 'cache-control': control } : {};
        if (!truncate && isCut.includes(true)) {
          await service.ask(400, '/v1/embeddings', body, headers);
          return;
        }
        const answer = await embed(body, headers);
        assert.deepEqual(
          answer.truncated,
          input.flatMap((_, i) => (isCut[i] ? [i] : [])),
        );
        if (control.includes('no-cache')) assert.equal(answer.cached, false);
        for (const [i, { embedding }] of answer.data.entries()) {
          assert.equal(typeof embedding === 'string', isBase64);
          const numbers = typeof embedding === 'string' ? decoded(embedding, type) : embedding;
          assertNear(numbers, expected(input[i]!, type, dimensions), type);
        }
      }),
      { numRuns: 75 },
    );
  });

  it('all of them come from one entry of the cache', async () => {
    await embed({ input: 'an entry' });
    for (const type of types) {
      const { cached } = await embed({ input: 'an entry', output_dtype: type, dimensions: 64 });
      assert.equal(cached, true, type);
    }
  });

  it('Cohere’s embedding_types return several at once, and Jina’s embedding_type one', async () => {
    const { embeddings } = await service.ask<{ embeddings: Record<Type | 'base64', (number[] | string)[]> }>(
      200,
      '/v2/embed',
      { texts: ['one', 'two words'], embedding_types: [...types, 'base64'] },
    );
    for (const type of types)
      for (const [i, text] of ['one', 'two words'].entries())
        assertNear(embeddings[type][i] as number[], expected(text, type, 384), type);
    assertNear(decoded(embeddings.base64[0] as string, 'float'), expected('one', 'float', 384), 'float');
    const jina = await embed({ input: 'one', embedding_type: 'ubinary' });
    assert.deepEqual(jina.data[0]?.embedding, embeddings.ubinary[0]);
  });

  it('bits need a number of dimensions that is a multiple of 8', async () => {
    const { message } = await service.ask<{ message: string }>(400, '/v1/embeddings', {
      input: 'one',
      output_dtype: 'binary',
      dimensions: 12,
    });
    assert.equal(message, 'dimensions must be a multiple of 8 for bits, but it is 12');
    await service.ask(400, '/v2/embed', {
      texts: ['one'],
      embedding_types: ['ubinary'],
      output_dimension: 12,
    });
  });
});
