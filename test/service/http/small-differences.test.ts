import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { UpstreamServer } from '../../helpers/upstream-server.ts';

describe('what clients do in small ways of their own', async () => {
  const reranker = untilEnd(await new UpstreamServer().listen());
  reranker.otherwise = (response, request) => {
    const { documents } = request as unknown as { documents: string[] };
    const results = documents.map((text, index) => ({ index, relevance_score: 1 / text.length }));
    response.end(JSON.stringify({ results }));
  };
  const environment = { RERANK_MODEL: 'theirs', RERANK_UPSTREAM_URL: reranker.url, LOG_LEVEL: 'silent' };
  const app = untilEnd(await listeningApp({ environment }));
  const ask = async (path: string, body?: unknown, headers: Record<string, string> = {}, method = 'POST') => {
    const response = await fetch(app.address + path, {
      method: body === undefined ? 'GET' : method,
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };

  /** Sends a request without Content-Type, which fetch always adds. */
  const askUntyped = (path: string, body: string, headers: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(app.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text.slice(0, 12)));
      socket.on('error', reject);
      const lines = [`POST ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers];
      socket.write(`${[...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
    });

  test('a body without Content-Type is JSON, and one of another type gets 415', async () => {
    const key = `Authorization: Bearer ${app.key}`;
    const bodies: Record<string, object> = {
      '/v1/embeddings': { input: 'a' },
      '/voyage/v1/embeddings': { input: 'a' },
      '/v2/embed': { texts: ['a'] },
      '/embed': { inputs: 'a' },
      '/rerank': { query: 'a', texts: ['b'] },
    };
    for (const [path, body] of Object.entries(bodies)) {
      assert.equal(await askUntyped(path, JSON.stringify(body), [key]), 'HTTP/1.1 200', path);
      const typed = [key, 'Content-Type: text/plain'];
      assert.equal(await askUntyped(path, JSON.stringify(body), typed), 'HTTP/1.1 415', path);
    }
    const page = await new Browser(app.address).signIn(app.administrator);
    const session = [`Cookie: ${page.cookie}`, `Origin: http://a`];
    const path = `/v1/organizations/${app.orgId}/keys`;
    assert.equal(await askUntyped(path, '{"name": "untyped"}', session), 'HTTP/1.1 201');
  });

  test('a field whose name has one wrong letter gets 400 with both names, and any other unknown field is ignored', async () => {
    const wrong: [string, object, string][] = [
      ['/v1/embeddings', { input: 'a', dimension: 20 }, 'dimension is not known: did you mean dimensions?'],
      [
        '/v1/embeddings',
        { input: 'a', input_tpye: 'query' },
        'input_tpye is not known: did you mean input_type?',
      ],
      ['/v1/rerank', { query: 'a', documents: ['a'], topn: 1 }, 'topn is not known: did you mean top_n?'],
      ['/v1/tokenize', { imput: 'a' }, 'imput is not known: did you mean input?'],
      ['/v1/batches', { endpoints: '/v1/embeddings' }, 'endpoints is not known: did you mean endpoint?'],
    ];
    for (const [path, body, message] of wrong) {
      const refused = await ask(path, body);
      assert.deepEqual([refused.status, refused.body.message], [400, message]);
    }
    for (const more of [{ priority: 1 }, { encoding: 'float' }, { inputs: ['b'] }, { normalize: true }])
      assert.equal((await ask('/v1/embeddings', { input: 'a', ...more })).status, 200);
  });

  test('a path with another base URL gets 404 that names the route', async () => {
    for (const path of [
      '/embeddings',
      '/v1/v1/embeddings',
      '/v1/embeddings/',
      '//v1/embeddings',
      '/v1/v1/v1/embeddings/',
    ]) {
      const { status, body } = await ask(path, { input: 'a' });
      assert.equal(status, 404);
      assert.match(body.message, /\. The route is \/v1\/embeddings: check the base URL of the client$/, path);
    }
    const openais = (await ask('/openai/embeddings', { input: 'a' })).body.error.message;
    assert.match(openais, /The route is \/openai\/v1\/embeddings/);
    assert.match((await ask('/nothing', {})).body.message, /^No route POST \/nothing$/);
  });

  test('Cohere’s first version has numbers, or types that the request names', async () => {
    for (const base of ['/v1', '/cohere/v1']) {
      const { body } = await ask(`${base}/embed`, { texts: ['a', 'b'], input_type: 'classification' });
      assert.deepEqual([body.response_type, body.meta.api_version.version], ['embeddings_floats', '1']);
      assert.deepEqual([body.embeddings.length, body.embeddings[0].length, body.texts], [2, 512, ['a', 'b']]);
      const typed = await ask(`${base}/embed`, {
        texts: ['a'],
        embedding_types: ['int8'],
        input_type: 'clustering',
      });
      assert.deepEqual(
        [typed.body.response_type, Object.keys(typed.body.embeddings)],
        ['embeddings_by_type', ['int8']],
      );
      const refused = await ask(`${base}/embed`, { texts: ['a'], model: 'unknown' });
      assert.deepEqual([refused.status, Object.keys(refused.body)], [404, ['message']]);
    }
    const ranked = await ask('/cohere/v1/rerank', { query: 'a', documents: ['aa', 'a'] });
    assert.deepEqual(ranked.body.results[0].index, 1);
  });

  test('Voyage’s route reranks with its own names', async () => {
    const asked = { query: 'a', documents: ['aa', 'a'], top_k: 1, truncation: true, return_documents: true };
    const { status, body } = await ask('/voyage/v1/rerank', asked);
    assert.deepEqual([status, body.object, body.model], [200, 'list', 'theirs']);
    assert.deepEqual(body.data, [{ index: 1, relevance_score: 1, document: 'a' }]);
    assert.ok(body.usage.total_tokens > 0);
    assert.equal(
      (await ask('/voyage/v1/rerank', { query: 'a' })).body.detail,
      'documents is missing: send a list of texts',
    );
  });

  test('documents can be one text', async () => {
    const { body } = await ask('/v1/rerank', { query: 'a', documents: 'bb', return_documents: true });
    assert.deepEqual(body.results, [{ index: 0, relevance_score: 0.5, document: { text: 'bb' } }]);
  });

  test('words of other APIs for the use of a text are read', async () => {
    for (const task of ['classification', 'CLUSTERING', 'SEMANTIC_SIMILARITY', 'text-matching', 'separation'])
      assert.equal((await ask('/v1/embeddings', { input: 'a', task })).status, 200, task);
  });

  const upload = (name: string) => {
    const form = new FormData();
    form.append('purpose', 'batch');
    const line = { custom_id: 'a', method: 'POST', url: '/v1/embeddings', body: { input: 'a' } };
    form.append('file', new Blob([JSON.stringify(line)]), name);
    return form;
  };

  test('Azure’s clients find files, batches and models, with and without /v1', async () => {
    for (const base of ['/openai', '/openai/v1']) {
      const headers = { 'api-key': app.key };
      const form = await fetch(`${app.address}${base}/files?api-version=2024-10-21`, {
        method: 'POST',
        headers,
        body: upload('lines.jsonl'),
      });
      const { id } = (await form.json()) as { id: string };
      assert.equal((await ask(`${base}/files/${id}`)).body.id, id);
      const asked = { input_file_id: id, endpoint: '/v1/embeddings', completion_window: '24h' };
      const batch = await ask(`${base}/batches`, asked);
      assert.equal((await ask(`${base}/batches/${batch.body.id}`)).body.input_file_id, id);
      assert.equal((await ask(`${base}/models`)).body.object, 'list');
    }
  });

  test('a file whose name has a NUL gets 400', async () => {
    const headers = { authorization: `Bearer ${app.key}` };
    const sent = { method: 'POST', headers, body: upload('a\0.jsonl') };
    assert.equal((await fetch(`${app.address}/v1/files`, sent)).status, 400);
  });

  test('a page after an unknown batch gets 400', async () => {
    for (const after of ['', 'batch_unknown', 'file-1'])
      assert.deepEqual([(await ask(`/v1/batches?after=${after}`)).status, after], [400, after]);
  });

  test('a wrong field of a batch gets a message that says what would be right', async () => {
    const file = { input_file_id: 'file-1', endpoint: '/v1/embeddings' };
    const wrong: [object, RegExp][] = [
      [{ ...file, completion_window: '24 hours' }, /^completion_window must be "1h" to "168h"$/],
      [{ ...file, endpoint: '/v1/chat' }, /^endpoint must be one of \/v1\/embeddings, \/v1\/rerank$/],
      [{ ...file, metadata: { a: 1 } }, /^metadata must be .* texts/],
    ];
    for (const [body, message] of wrong) assert.match((await ask('/v1/batches', body)).body.message, message);
  });

  test('rate limit headers have integers that a structured field can hold', async () => {
    const { orgId } = await app.services.organizations.create({ name: 'Acme', tier: 'enterprise' });
    const options = { orgId, userId: 'ada', name: 'k', expiresInMs: 60_000 };
    const { secret } = await app.services.keys.create(options as never);
    const { headers } = await ask('/v1/models', undefined, { authorization: `Bearer ${secret}` });
    assert.match(headers.get('ratelimit') ?? '', /r=999999999999999/);
    for (const name of ['ratelimit', 'ratelimit-policy'])
      for (const digits of headers.get(name)?.match(/\d+/g) ?? []) assert.ok(digits.length <= 15, digits);
  });

  test('a browser whose session has ended gets a 401 that says to sign in', async () => {
    const page = await new Browser(app.address).signIn(app.administrator);
    await page.ask(204, 'POST', '/v1/auth/sign-out');
    const headers = { cookie: page.cookie };
    for (const sent of [headers, { 'sec-fetch-site': 'same-origin' }]) {
      const response = await fetch(`${app.address}/v1/me`, { headers: sent as Record<string, string> });
      assert.deepEqual(await response.json(), {
        error: 'not_signed_in',
        message: 'There is no session, or it has ended. Sign in again.',
      });
    }
    const none = await fetch(`${app.address}/v1/me`);
    assert.equal(((await none.json()) as { message: string }).message, 'Invalid API key');
  });
});
