import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dialectApp, model } from './dialect-app.ts';

type Failure = { error: { message: string; type: string; param: string | null; code: string } };

describe('OpenAI’s dialect', () => {
  let service: Awaited<ReturnType<typeof dialectApp>>;
  before(async () => {
    service = await dialectApp();
  });
  after(() => service[Symbol.asyncDispose]());

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
    assert.equal(
      (await service.ask<{ error: string }>(400, '/v1/embeddings', body)).error,
      'invalid_request',
    );
  });

  it('is also the dialect of /v1 for OpenAI’s SDKs and with X-Error-Format', async () => {
    const body = { input: 'a text', model: 'nobody' };
    for (const headers of [{ 'x-stainless-lang': 'js' }, { 'x-error-format': 'openai' }])
      assert.equal((await fails(404, '/v1/embeddings', body, headers)).code, 'model_not_found');
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
    const limit = { keyId: null, unit: 'tokens', window: 'minute', amount: 5 } as const;
    const { limitId } = await service.app.services.limits.add(service.app.orgId, limit);
    const granted = await service.send('/openai/v1/embeddings', {
      input: 'many more words than that',
      model,
    });
    assert.equal(granted.headers.get('x-ratelimit-limit-tokens'), '5');
    assert.equal(granted.headers.get('x-ratelimit-remaining-tokens'), '0');
    assert.match(granted.headers.get('x-ratelimit-reset-tokens') ?? '', /^1m0s$|^[1-5]?\ds$/);
    const error = await fails(429, '/openai/v1/embeddings', { input: 'new', model });
    assert.deepEqual([error.type, error.code], ['tokens', 'rate_limit_exceeded']);
    await service.app.services.limits.remove(service.app.orgId, limitId);
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
