import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import OpenAI, { type ClientOptions } from 'openai';
import { type RunningService, startService } from '../../helpers/service.ts';
import { model } from '../client.ts';
import { curl, missingCurl } from '../curl.ts';
import { testClients, usedUpKey } from '../suite.ts';
import { aiSdk } from './ai-sdk.ts';
import { langchain } from './langchain.ts';
import { llamaindex } from './llamaindex.ts';
import { openai } from './openai.ts';

testClients([openai, langchain, aiSdk, llamaindex, curl], missingCurl);

describe('openai, set up with only an address and a key', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service[Symbol.asyncDispose]());
  const client = (apiKey: string, options: ClientOptions = {}) =>
    new OpenAI({ apiKey, baseURL: `${service.address}/v1`, ...options });

  it('lists the models', async () => {
    assert.equal((await client(service.key).models.list()).data[0]?.id, model);
  });

  it('gets the same vector by default and as float', async () => {
    const { embeddings } = client(service.key);
    const byDefault = await embeddings.create({ model, input: 'hello' });
    const float = await embeddings.create({ model, input: 'hello', encoding_format: 'float' });
    assert.equal(byDefault.data[0]?.embedding.length, 512);
    assert.deepEqual(byDefault.data[0]?.embedding, float.data[0]?.embedding.map(Math.fround));
  });

  it('throws its AuthenticationError for a wrong key', async () => {
    await assert.rejects(
      client('sk_wrong').embeddings.create({ model, input: 'x' }),
      (reason) => reason instanceof OpenAI.AuthenticationError,
    );
  });

  it('throws its RateLimitError for a used-up quota, after one attempt', async () => {
    let attempts = 0;
    const counting: typeof fetch = (...args) => {
      attempts += 1;
      return fetch(...args);
    };
    const { embeddings } = client(await usedUpKey(service), { fetch: counting });
    await assert.rejects(
      embeddings.create({ model, input: 'x' }),
      (reason) => reason instanceof OpenAI.RateLimitError,
    );
    assert.equal(attempts, 1);
  });
});
