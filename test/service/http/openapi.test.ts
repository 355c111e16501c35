import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Check } from 'typebox/value';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Json = { [name: string]: Json };
type Answer = { status: number; headers: Headers; body: unknown };

describe('/openapi.json', async () => {
  const app = untilEnd(await listeningApp());
  const document = (await (await fetch(`${app.address}/openapi.json`)).json()) as Json;

  /** The document with every reference replaced by its target. */
  const resolved = (node: unknown): Json => {
    if (Array.isArray(node)) return node.map(resolved) as unknown as Json;
    if (typeof node !== 'object' || node === null) return node as unknown as Json;
    const { $ref: reference } = node as { $ref?: string };
    if (reference === undefined) {
      return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value)]));
    }
    const [, ...path] = reference.split('/');
    const found = path.reduce<Json | undefined>((place, name) => place?.[name], document);
    assert.ok(found, reference);
    return resolved(found);
  };

  const paths = resolved(document.paths);
  const operations = () =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    );

  test('each operation has a unique name, a summary, a tag and a description of each response', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { name, operation } of operations()) {
      for (const field of ['operationId', 'summary', 'tags'])
        assert.ok(operation[field], `${name}: ${field}`);
      for (const [status, { description, headers }] of Object.entries(operation.responses ?? {})) {
        assert.notEqual(description, 'Default Response', `${name} ${status}`);
        assert.ok(headers?.['X-Request-Id'], `${name} ${status}`);
      }
    }
  });

  test('every example matches its schema', () => {
    let examples = 0;
    for (const { name, operation } of operations()) {
      for (const message of [operation.requestBody, ...Object.values(operation.responses ?? {})]) {
        for (const { schema, example, examples: several = {} } of Object.values(message?.content ?? {})) {
          const values = Object.values(several).map(({ value }) => value);
          for (const value of example ? [example, ...values] : values) {
            examples += 1;
            assert.ok(Check(schema as Json, value), `${name}: ${JSON.stringify(value)}`);
          }
        }
      }
    }
    assert.ok(examples >= 20, `${examples} examples`);
  });

  const onlySometimes = ['X-Embedding-Truncated', 'Deprecation', 'Sunset'];

  /** Checks a response against the document's schema for its operation and status. */
  const assertDocumented = (path: string, method: string, { status, headers, body }: Answer): void => {
    const response = paths[path]?.[method]?.responses?.[status];
    assert.ok(response, `${method} ${path} ${status} is not documented`);
    for (const header of Object.keys(response.headers ?? {})) {
      if (onlySometimes.includes(header)) continue;
      assert.ok(headers.has(header), `${method} ${path} ${status} has no ${header}`);
    }
    const mediaType = headers.get('content-type')?.split(';')[0] ?? '';
    const schema = response.content?.[mediaType]?.schema;
    assert.ok(schema, `${method} ${path} ${status} is not documented as ${mediaType}`);
    assert.ok(Check(schema, body), `${method} ${path} ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  };

  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(app.address + path, init);
    const isJson = response.headers.get('content-type')?.startsWith('application/json;');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? await response.json() : await response.text(),
    };
  };

  test('every route that only reads responds as the document says', async () => {
    const withKey = { authorization: `Bearer ${app.key}` };
    const page = await new Browser(app.address).signIn(app.administrator);
    const [key] = (await app.services.keys.list(app.orgId, {})).data;
    const requests = [{ body: { input: 'a batch' } }];
    const client = batchClient(app);
    const { json: batch } = await client.send('POST', '/batches', { endpoint: '/v1/embeddings', requests });
    let asked = 0;
    for (const [path, { get }] of Object.entries(paths)) {
      // Its response has no end.
      if (!get) continue;
      const isForPeople = (get.security as unknown as object[] | undefined)?.every((one) => 'session' in one);
      const headers: Record<string, string> = isForPeople ? { cookie: page.cookie } : withKey;
      const answer = await ask(
        path
          .replace('{org_id}', app.orgId)
          .replace('{key_id}', key!.keyId)
          .replace('{user_id}', app.administrator.userId)
          .replace('{file_id}', batch.input_file_id)
          .replace('{batch_id}', batch.id)
          .replace('{model}', 'universal-sentence-encoder-lite'),
        { headers },
      );
      assert.equal(answer.status, 200, path);
      assertDocumented(path, 'get', answer);
      asked += 1;
      if (!path.includes('{org_id}')) continue;
      const foreign = await ask(path.replace('{org_id}', 'org_0'), { headers });
      assert.equal(foreign.status, 404, path);
      assertDocumented(path, 'get', foreign);
      const nobody = await ask(path.replace('{org_id}', app.orgId));
      assert.equal(nobody.status, 401, path);
      assertDocumented(path, 'get', nobody);
    }
    assert.ok(asked >= 19, `${asked} routes`);
  });

  test('every response to POST /v1/embeddings is as the document says', async () => {
    const json = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    const [path, method] = ['/v1/embeddings', 'POST'];
    const post = async (
      status: number,
      body: unknown,
      headers: Record<string, string> = json,
    ): Promise<void> => {
      const answer = await ask(path, { method, headers, body: JSON.stringify(body) });
      assert.equal(answer.status, status);
      assertDocumented(path, 'post', answer);
    };
    await post(200, { input: 'one text' });
    await post(200, { input: ['one text', 'another'], encoding_format: 'base64', dimensions: 8 });
    await post(400, { input: [] });
    await post(400, { input: [] }, { ...json, 'x-error-format': 'openai' });
    await post(401, { input: 'x' }, { 'content-type': 'application/json' });
    await post(413, { input: 'x'.repeat(5 << 20) });
    await post(415, { input: 'x' }, { ...json, 'content-type': 'text/csv' });
    await app.services.organizations.setTier(app.orgId, 'enterprise', { amount: 0, window: 'month' });
    await post(429, { input: 'refused' });
  });
});
